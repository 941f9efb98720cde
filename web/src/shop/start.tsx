// Starts the shop.
import { startPage } from "~/design/start";
import { Shop } from "./Shop";

export function start(): void {
  void startPage(["shop"], <Shop />);
}
