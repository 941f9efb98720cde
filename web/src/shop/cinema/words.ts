// The cinema's translations, loaded with its pages.
import i18next from "i18next";
import ar from "./words/ar.json";
import de from "./words/de.json";
import en from "./words/en.json";

export const WORDS = { en, de, ar };

for (const [language, words] of Object.entries(WORDS)) {
  i18next.addResourceBundle(language, "cinema", words);
}
