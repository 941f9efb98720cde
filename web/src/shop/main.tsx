// The shop: what is on, seats, paying, tickets.
import { startPage } from "~/design/start";
import { reloadWhenReplaced } from "./shell/reload";
import { Shop } from "./Shop";

reloadWhenReplaced();
void startPage(["shop"], <Shop />);
