// What the texts of a room are called in the language of the map: of the resource's translations, else
// of its plan's. A twin of `translations.py`, because the map switches its language without a call.
import { isRecord } from "~/api/record";

export type Vocabulary = Readonly<Record<string, string>>;

/** Looked up are the whole tag, then the same without its last part, and so on; later lists win. */
export function vocabularyFor(locale: string, ...lists: readonly unknown[]): Vocabulary {
  const parts = locale.toLowerCase().split("-");
  const tags = parts.map((_, place) => parts.slice(0, place + 1).join("-"));
  const found: Record<string, string> = {};
  for (const list of lists) {
    const translations = Array.isArray(list) ? list.filter((one) => isRecord(one)) : [];
    for (const tag of tags) {
      for (const { language, words } of translations) {
        if (typeof language === "string" && language.toLowerCase() === tag) add(words, found);
      }
    }
  }
  return found;
}

function add(words: unknown, to: Record<string, string>): void {
  for (const [text, said] of Object.entries(isRecord(words) ? words : {}))
    if (typeof said === "string" && said !== "") to[text] = said;
}

/** What a text is called; one that nobody translated stays as it is. */
export function named(vocabulary: Vocabulary, text: string): string {
  return Object.hasOwn(vocabulary, text) ? (vocabulary[text] ?? text) : text;
}
