// The entry point of the shop. It is small: it has brought what the page needs, while the program itself,
// which the page's head names, is on its way.
import "~/design/index.css";
import { applyDirection, bringWords, preferredLocale } from "~/i18n/locale";
import { loadAhead, startSession } from "./ahead";
import { reloadWhenReplaced } from "./shell/reload";
import "./shell/shell.css";
import "./shell/header.css";
// Of what every page brings: each file of its own would be a request that the program waits beside.
import "./cinema/cinema.css";
import "./cinema/film.css";
import "./refunds/refunds.css";
import "./search/combobox.css";
import "./stepper.css";

async function main(): Promise<void> {
  reloadWhenReplaced();
  applyDirection(preferredLocale()); // what is asked for is answered in it
  await startSession(globalThis.location);
  bringWords(["shop"]);
  loadAhead(globalThis.location.pathname);
  const { start } = await import("./start");
  start();
}

// Other pages that share parts with the shop bring its styles, and with them this file.
if (!/^\/(console|docs|embed)(\/|$)/.test(globalThis.location.pathname)) void main();
