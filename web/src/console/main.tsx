// The entry point of the console.
import { startPage } from "~/design/start";
import { Console } from "./Console";

void startPage(["console"], <Console />);
