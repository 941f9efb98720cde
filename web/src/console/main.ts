// The entry point of the console. It is small: the words are on their way while the program itself, which
// the page's head names, is too.
import "~/design/index.css";
import { bringWords } from "~/i18n/locale";
import "./console.css";

bringWords(["console"]);
void import("./start").then(({ start }) => start());
