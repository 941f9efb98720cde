// The cinema's translations, loaded with its pages.
import i18next from "i18next";
import ar from "./words/ar.json";
import de from "./words/de.json";
import en from "./words/en.json";

export const WORDS = { en, de, ar };

function add(): void {
  for (const [language, words] of Object.entries(WORDS)) {
    i18next.addResourceBundle(language, "cinema", words);
  }
}

// The pages may be here before there is anything to add to.
if (i18next.isInitialized) add();
else i18next.on("initialized", add);
