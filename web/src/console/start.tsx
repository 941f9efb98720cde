// Starts the console.
import { startPage } from "~/design/start";
import { Console } from "./Console";

export function start(): void {
  void startPage(["console"], <Console />);
}
