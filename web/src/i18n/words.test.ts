// The words of all pages: each language has all texts with the same values in them, every plural
// has all forms of its language, and German speaks to its reader in one way.
import { expect, test } from "vitest";
import { isRecord } from "~/api/client";

const LANGUAGES = ["en", "de", "ar"] as const;
const files = import.meta.glob<unknown>("./locales/*/*.json", { import: "default", eager: true });
const NAMESPACES = [...new Set(Object.keys(files).map((path) => path.split("/")[3] ?? ""))];
const FORM = /_(zero|one|two|few|many|other)$/u;
// A number and a word side by side: the word has a form for each number. A number behind a colon,
// in brackets, or before a sign has none.
const SAID = /\{\{?(count|\w+, number)\}\}? \p{L}|\p{L} \{\{?(count|\w+, number)\}\}?(?! ?[:)])/u;
// "12 of 40": the word is not what is counted.
const UNCOUNTED = new Set(["occupancy.of"]);
// Not German for "you" in the plural: the adverb, and "her".
const INFORMAL = /(?<!\p{L})(du|dich|dir|dein(e[mnrs]?)?|euch|euer|eure[mnrs]?)(?!\p{L})/iu;
// Orders to a "du", as they begin a sentence. No German noun of the pages reads like one.
const ORDERS =
  /(^|[.:;!?] )(Wähle|Klicke|Gib|Tippe|Ziehe?|Setze|Nimm|Lade|Prüfe|Melde|Öffne|Speichere|Lösche|Schreibe?|Sieh|Kopiere|Drücke|Halte?|Verwende|Nutze|Ändere|Warte|Mache?|Lasse?|Zeichne|Benenne|Suche nach|Kaufe|Starte|Nenne|Erlaube|Probiere)(?!\p{L})/u;

function flat(of: unknown, path = ""): [string, string][] {
  return Object.entries(isRecord(of) ? of : {}).flatMap(([name, value]): [string, string][] =>
    typeof value === "string" ? [[path + name, value]] : flat(value, `${path}${name}.`),
  );
}

const texts = (language: string, namespace: string) =>
  new Map(flat(files[`./locales/${language}/${namespace}`]));

/** The bases of the texts that have plural forms, by the English ones: more than one form. */
function plurals(namespace: string): Set<string> {
  const seen = new Map<string, number>();
  for (const key of texts("en", namespace).keys()) {
    const base = key.replace(FORM, "");
    if (base !== key) seen.set(base, (seen.get(base) ?? 0) + 1);
  }
  return new Set([...seen].filter(([, forms]) => forms > 1).map(([base]) => base));
}

const baseOf = (key: string, bases: ReadonlySet<string>): string => {
  const base = key.replace(FORM, "");
  return bases.has(base) ? base : key;
};

const values = (text: string): string[] =>
  [...text.matchAll(/\{\{?(\w+)/gu)].map((found) => found[1] ?? "").sort();

test("there are words", () => expect(NAMESPACES.length).toBeGreaterThan(5));

for (const namespace of NAMESPACES) {
  const bases = plurals(namespace);
  const english = texts("en", namespace);

  test.each(LANGUAGES)(`${namespace}: all texts are there in %s`, (language) => {
    const own = [...texts(language, namespace).keys()].map((key) => baseOf(key, bases));
    const usual = [...english.keys()].map((key) => baseOf(key, bases));
    expect([...new Set(own)].sort()).toEqual([...new Set(usual)].sort());
  });

  test.each(LANGUAGES)(`${namespace}: texts have the same values in %s`, (language) => {
    for (const [key, text] of texts(language, namespace)) {
      const base = baseOf(key, bases);
      const usual = values(english.get(base === key ? key : `${base}_other`) ?? "");
      const own = values(text);
      // "One seat" and "two seats" may say their number as a word.
      if (base !== key) expect([...own, "count"], key).toEqual(expect.arrayContaining(usual));
      else expect(own, key).toEqual(usual);
    }
  });

  test.each(LANGUAGES)(`${namespace}: plurals have all forms of %s`, (language) => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const own = texts(language, namespace);
    for (const base of bases)
      for (const form of forms) expect([...own.keys()]).toContain(`${base}_${form}`);
  });

  test.each(LANGUAGES)(`${namespace}: a count beside a word is a plural in %s`, (language) => {
    for (const [key, text] of texts(language, namespace))
      if (baseOf(key, bases) === key && !UNCOUNTED.has(key))
        expect(SAID.test(text), `${key}: ${text}`).toBe(false);
  });

  test(`${namespace}: German says Sie`, () => {
    for (const [key, text] of texts("de", namespace)) {
      expect(text, key).not.toMatch(INFORMAL);
      expect(text, key).not.toMatch(ORDERS);
    }
  });
}
