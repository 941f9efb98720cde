// The search over calls, fields, objects and error codes: all words of the question must be there; what
// is called so comes before what only has it somewhere.
import type { Book } from "./book/book";

export type FoundKind = "call" | "error" | "object" | "field";
export type Entry = {
  readonly kind: FoundKind;
  readonly title: string;
  readonly more: string;
  readonly href: string;
  /** What is searched, in small letters: by the first a question is best answered. */
  readonly texts: readonly string[];
};

const MOST = 12;
/** How well a text answers: it is the word, begins with it, has a word that does, has it somewhere. */
const SCORES = { same: 100, begins: 60, word: 40, within: 10 } as const;
/** A description answers less well than a name, and each text less well than the one before. */
const NAMES = 4;
const DESCRIPTION_SHARE = 0.1;
const KIND_SCORES: Readonly<Record<FoundKind, number>> = {
  call: 30,
  object: 8,
  error: 5,
  field: -45,
};

export function entriesOf({ calls, errors, objects }: Book): readonly Entry[] {
  const entry = (
    kind: FoundKind,
    title: string,
    more: string,
    href: string,
    ...texts: string[]
  ) => ({
    kind,
    title,
    more,
    href,
    texts: texts.map((text) => text.toLowerCase()),
  });
  const found = [
    ...calls.map(({ id, operationId, method, path, summary, text }) =>
      entry(
        "call",
        summary,
        `${method} ${path}`,
        `/calls/${id}`,
        id,
        operationId,
        path,
        summary,
        text,
      ),
    ),
    ...errors.map(({ code, meaning }) =>
      entry("error", code, plain(meaning), `/errors/${code}`, code, meaning),
    ),
    ...objects.map(({ name, text }) =>
      entry("object", name, plain(text), `/objects/${name}`, name, text),
    ),
    ...calls.flatMap(({ id, summary, inPath, query, headers, body }) =>
      [...inPath, ...query, ...headers, ...(body?.fields ?? [])].map(({ name, meaning }) =>
        entry("field", name, summary, `/calls/${id}#field-${name}`, name, meaning),
      ),
    ),
    ...objects.flatMap(({ name: object, fields }) =>
      fields.map(({ name, meaning }) =>
        entry("field", name, object, `/objects/${object}#field-${name}`, name, meaning),
      ),
    ),
  ];
  return found;
}

/** The best answers to a question, the best first. */
export function search(entries: readonly Entry[], question: string): readonly Entry[] {
  const words = question.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return entries
    .map((entry): [number, Entry] => [scoreOf(entry, words), entry])
    .filter(([score]) => score > 0)
    .sort(([one], [other]) => other - one)
    .slice(0, MOST)
    .map(([, entry]) => entry);
}

function scoreOf({ texts, kind }: Entry, words: readonly string[]): number {
  let score = KIND_SCORES[kind];
  for (const word of words) {
    const best = Math.max(...texts.map((text, place) => scoreOfText(text, word, place)));
    if (best <= 0) return 0;
    score += best;
  }
  // What has all words is found, however badly.
  return Math.max(score, 1);
}

function scoreOfText(text: string, word: string, place: number): number {
  const match = matchOf(text, word);
  if (match === null) return 0;
  return place < NAMES ? SCORES[match] - place : SCORES[match] * DESCRIPTION_SHARE;
}

function matchOf(text: string, word: string): keyof typeof SCORES | null {
  if (text === word) return "same";
  if (text.startsWith(word)) return "begins";
  const at = text.indexOf(word);
  if (at === -1) return null;
  return /[a-z0-9]/.test(text.charAt(at - 1)) ? "within" : "word";
}

/** Markdown of one line without its signs. */
export function plain(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1").replaceAll(/[`*]/g, "");
}
