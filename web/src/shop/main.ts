// The entry point of the shop. It is small: it has brought what the page needs, while the program itself,
// which the page's head names, is on its way.
import "~/design/index.css";
import { prepareLocale } from "~/i18n/locale";
import { loadAhead } from "./ahead";
import { reloadWhenReplaced } from "./shell/reload";
import "./shell/shell.css";

reloadWhenReplaced();
prepareLocale(["shop"]);
loadAhead(globalThis.location.pathname);
void import("./start").then(({ start }) => start());
