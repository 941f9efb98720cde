// Translations: the same keys in every language; errors, durations and sums.
import i18next from "i18next";
import { beforeAll, describe, expect, it } from "vitest";
import ar from "~/i18n/locales/ar/console.json";
import de from "~/i18n/locales/de/console.json";
import en from "~/i18n/locales/en/console.json";
import { saysWhen } from "./When";
import { wholeMoney } from "./sums";
import { span } from "./timeSpan";

type Words = { readonly [name: string]: string | Words };

/** All keys, without plural suffixes. */
function names(words: Words, before = ""): string[] {
  return Object.entries(words).flatMap(([name, value]) =>
    typeof value === "string"
      ? [before + name.replace(/_(zero|one|two|few|many|other)$/, "")]
      : names(value, `${before}${name}.`),
  );
}

/** The placeholders of each text. */
function holes(words: Words, before = ""): [string, string][] {
  return Object.entries(words).flatMap(([name, value]) =>
    typeof value === "string"
      ? [[before + name, [...value.matchAll(/{{(.+?)}}/g)].map((found) => found[1]).join(" ")]]
      : holes(value, `${before}${name}.`),
  );
}

describe("the words of the console", () => {
  it.each([
    ["German", de],
    ["Arabic", ar],
  ])("are all there in %s", (_language, words) => {
    expect(new Set(names(words))).toEqual(new Set(names(en)));
  });

  it("are filled in with the same facts in German", () => {
    expect(new Map(holes(de))).toEqual(new Map(holes(en)));
  });

  it("have a form for every number in Arabic", () => {
    const all = holes(ar).map(([name]) => name);
    const plurals = all.filter((name) => name.endsWith("_other"));
    expect(plurals.length).toBeGreaterThan(10);
    for (const name of plurals) {
      for (const form of ["zero", "one", "two", "few", "many"]) {
        expect(all).toContain(name.replace(/_other$/, `_${form}`));
      }
    }
  });
});

describe("in English", () => {
  beforeAll(async () => {
    await i18next.init({ lng: "en", resources: {} });
  });

  it("a length of time has its one or two largest units", () => {
    expect(span(0.04)).toBe("0.04 sec");
    expect(span(42)).toBe("42 sec");
    expect(span(95)).toBe("1 min 35 sec");
    expect(span(7200)).toBe("2 hr");
    expect(span(200_000)).toBe("2 days 7 hr");
    expect(span(-3)).toBe("0 sec");
  });

  it("a large sum has no cents, a small one has", () => {
    expect(wholeMoney(1_234_567, "EUR")).toBe("€12,346");
    expect(wholeMoney(1250, "EUR")).toBe("€12.50");
    expect(wholeMoney(500_000, "JPY")).toBe("¥500,000");
  });

  it("a name that says when it is need not be told so again", () => {
    const at = "2026-11-21T13:50:00Z";
    expect(saysWhen("The Play, Sat 21 Nov 19:20", at, "Asia/Kolkata")).toBe(true);
    expect(saysWhen("The Play", at, "Asia/Kolkata")).toBe(false);
    expect(saysWhen("The Play", null, null)).toBe(true);
  });
});
