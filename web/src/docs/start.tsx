// Starts the reference of the API.
import { startPage } from "~/design/start";
import { Docs } from "./Docs";

export function start(): void {
  void startPage(["docs"], <Docs />);
}
