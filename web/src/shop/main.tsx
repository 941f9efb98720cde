// The entry point of the shop.
import { startPage } from "~/design/start";
import { reloadWhenReplaced } from "./shell/reload";
import { Shop } from "./Shop";

reloadWhenReplaced();
void startPage(["shop"], <Shop />);
