// Texts in the shop's languages, as a form has them: by language and field. The API has them by the
// text itself, so that a translation goes along when its text is typed anew.
import type { Translation } from "~/api/schema";
import { isLocale, LOCALES, type LocaleName } from "~/i18n";

/** By language, and by the name of the field. */
export type Translated = Readonly<Record<string, Readonly<Record<string, string>>>>;
type Typed = Readonly<Record<string, string>>;

/** How long a text and its translation may be. */
export const LETTERS_MAX = 4000;

export function readTranslations(stored: readonly Translation[], typed: Typed): Translated {
  const read = stored.map(({ language, words }) => {
    const known = Object.entries(typed).flatMap(([field, text]) => {
      const word = words[text.trim()];
      return word === undefined ? [] : [[field, word] as const];
    });
    return [language, Object.fromEntries(known)] as const;
  });
  return Object.fromEntries(read);
}

/** What to send. Words of other texts than these fields' stay as they were `stored`. */
export function writeTranslations(
  translated: Translated,
  typed: Typed,
  before: Typed,
  stored: readonly Translation[],
): Translation[] {
  const ours = new Set(Object.values(before).map((text) => text.trim()));
  const languages = new Set([
    ...stored.map(({ language }) => language),
    ...Object.keys(translated),
  ]);
  return [...languages].flatMap((language) => {
    const kept = Object.entries(stored.find((one) => one.language === language)?.words ?? {});
    const words = Object.fromEntries([
      ...kept.filter(([text]) => !ours.has(text)),
      ...Object.entries(typed).flatMap(([field, text]) => {
        const word = (translated[language]?.[field] ?? "").replaceAll("\r\n", "\n").trim();
        const isFit = text.trim() !== "" && text.trim().length <= LETTERS_MAX && word !== "";
        return isFit ? [[text.trim(), word] as const] : [];
      }),
    ]);
    return Object.keys(words).length === 0 ? [] : [{ language, words }];
  });
}

/** How a field is written in that has a text of a language; a browser judges by the text itself
 * where we do not know. */
export const writingIn = (language: string) => ({
  lang: language,
  dir: isLocale(language) ? LOCALES[language].direction : "auto",
});

/** What a language is called: those of the pages by themselves, others in the language of the page. */
export function languageName(language: string, page: string): string {
  if (isLocale(language)) return LOCALES[language].name;
  try {
    return new Intl.DisplayNames([page], { type: "language" }).of(language) ?? language;
  } catch (error) {
    // A tag may be well formed, and still be none that browsers know how to read.
    if (error instanceof RangeError) return language;
    throw error;
  }
}

/** The languages to translate into: all of the shop's but its first, in which texts are typed. */
export function otherLanguages(
  shop: readonly LocaleName[] | null | undefined,
  page: string,
): LocaleName[] {
  if (shop?.length) return shop.slice(1);
  return Object.keys(LOCALES)
    .filter(isLocale)
    .filter((name) => name !== page);
}
