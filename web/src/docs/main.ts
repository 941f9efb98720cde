// The entry point of the reference of the API. It is small: the words are on their way while the program
// itself, which the page's head names, is too. The document, 0.1 MB packed, comes after both: the head of the
// first page needs it not.
import "~/design/index.css";
import { bringWords } from "~/i18n/locale";
import "./docs.css";

bringWords(["docs"]);
void import("./start").then(({ start }) => start());
