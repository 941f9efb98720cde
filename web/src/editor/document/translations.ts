// What the names of a room are called in other languages. The plan keeps them by the names as they are
// typed, so that a name has one translation wherever it stands, and takes it along when it is typed anew.
import { STANDARD, type SeatsPlan } from "~/seatmap/plan";
import { edited, orNothing } from "./edit";
import { usedCategories } from "./usedCategories";

/** The kinds of names that buyers see, in the order in which they are listed. */
export const NAME_KINDS = ["sections", "categories", "areas", "labels", "rows", "tables"] as const;
export type NameKind = (typeof NAME_KINDS)[number];

export type Names = { readonly kind: NameKind; readonly texts: readonly string[] };

type Words = Readonly<Record<string, string>>;

export const LANGUAGES_MAX = 20;
export const WORDS_MAX = 2000;
export const LETTERS_MAX = 200_000;
const TAG = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/u;
const TAG_LETTERS_MAX = 35;

/** The names that can be translated, each under the first kind that it is a name of. A row or a table
 * that is only a letter or a number is called so everywhere. */
export function namesOf(plan: SeatsPlan): Names[] {
  const seen = new Set<string>();
  return NAME_KINDS.map((kind) => {
    const all = textsOf(plan, kind).filter(
      (text) => (kind !== "rows" && kind !== "tables") || /\p{L}{3}/u.test(text),
    );
    const texts = [...new Set(all)].filter((text) => text.trim() !== "" && !seen.has(text));
    for (const text of texts) seen.add(text);
    return { kind, texts };
  }).filter(({ texts }) => texts.length > 0);
}

function textsOf(plan: SeatsPlan, kind: NameKind): string[] {
  const sections = plan.sections ?? [];
  switch (kind) {
    case "sections":
      return sections.map(({ name }) => name);
    case "categories":
      return categoriesOf(plan);
    case "areas":
      return (plan.pools ?? []).map(({ unit }) => unit);
    case "labels": {
      const texts = (plan.shapes ?? []).flatMap((one) => (one.kind === "text" ? [one.text] : []));
      return [...(plan.stage?.label ? [plan.stage.label] : []), ...texts];
    }
    case "rows":
      return sections.flatMap((section) => (section.rows ?? []).map(({ name }) => name));
    case "tables":
      return sections.flatMap((section) => (section.tables ?? []).map(({ name }) => name));
  }
}

/** What is listed; else what is used, but for the usual one, which the pages have a word for. */
function categoriesOf(plan: SeatsPlan): string[] {
  if (plan.categories?.length) return plan.categories.map(({ name }) => name);
  return usedCategories(plan).filter((name) => name !== STANDARD);
}

/** The languages that the plan has, as they are written there. */
export const languagesOf = (plan: SeatsPlan): string[] =>
  (plan.translations ?? []).map(({ language }) => language);

export const isSame = (one: string, other: string): boolean =>
  one.toLowerCase() === other.toLowerCase();

export const isTag = (text: string): boolean => text.length <= TAG_LETTERS_MAX && TAG.test(text);

/** What a name is called in a language; empty where nobody said it. */
export const wordOf = (plan: SeatsPlan, language: string, text: string): string =>
  wordIn(plan.translations?.find((one) => isSame(one.language, language))?.words ?? {}, text) ?? "";

const wordIn = (words: Words, text: string): string | undefined =>
  Object.hasOwn(words, text) ? words[text] : undefined;

/** The plan in which a name is called so; an empty word takes it away. */
export function setWord(plan: SeatsPlan, language: string, text: string, said: string): SeatsPlan {
  const word = said.trim();
  if (word === wordOf(plan, language, text)) return plan;
  const before = plan.translations ?? [];
  const known = before.some((one) => isSame(one.language, language));
  const listed = known ? before : [...before, { language, words: {} }];
  return withWords(plan, listed, (words, own) =>
    isSame(own, language) ? withWord(words, text, word) : words,
  );
}

/** After a name was typed anew: its translations go along, unless the new name has its own, and stay
 * where something else is still called as before. */
export function renameWord(plan: SeatsPlan, from: string, to: string): SeatsPlan {
  const before = plan.translations ?? [];
  if (from === to || !before.some(({ words }) => Object.hasOwn(words, from))) return plan;
  const isLeft = NAME_KINDS.some((kind) => textsOf(plan, kind).includes(from));
  return withWords(plan, before, (words) => {
    const word = wordIn(words, from);
    if (word === undefined) return words;
    const kept = isLeft ? words : withWord(words, from, "");
    return Object.hasOwn(words, to) ? kept : withWord(kept, to, word);
  });
}

type Listed = NonNullable<SeatsPlan["translations"]>;

/** The plan with other words in its languages; a language without any is not written down. */
function withWords(
  plan: SeatsPlan,
  listed: Listed,
  change: (words: Words, language: string) => Words,
): SeatsPlan {
  const translations = listed
    .map((one) => ({ ...one, words: change(one.words, one.language) }))
    .filter(({ words }) => Object.keys(words).length > 0);
  return edited(plan, { translations: orNothing(translations) });
}

/** The same words in their order, one of them changed, added or, where it is empty, taken away. */
function withWord(words: Words, text: string, word: string): Words {
  if (word !== "" && Object.hasOwn(words, text))
    return Object.fromEntries(
      Object.entries(words).map(([own, said]) => [own, own === text ? word : said]),
    );
  const others = Object.entries(words).filter(([own]) => own !== text);
  return Object.fromEntries(word === "" ? others : [...others, [text, word]]);
}

/** How many letters all translations have together, the names included, as the engine counts them. */
export const lettersOf = (plan: SeatsPlan): number =>
  (plan.translations ?? [])
    .flatMap(({ words }) => Object.entries(words).flat())
    .reduce((sum, text) => sum + [...text].length, 0);
