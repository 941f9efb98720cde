// The console: what an operator sees and does.
import { startPage } from "~/design/start";
import { Console } from "./Console";

void startPage(["console"], <Console />);
