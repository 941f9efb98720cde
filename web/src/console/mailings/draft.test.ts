import { expect, test } from "vitest";
import { freeLanguage, textsOf, withText, type Draft } from "./draft";

const ENGLISH = { language: "en", subject: " Doors ", text: "They open at 19:30.\n" } as const;
const EMPTY = { language: "de", subject: "", text: "  " } as const;
const ALL = ["en", "de", "ar"] as const;

test("a further text is in a language that there is none in", () => {
  expect(freeLanguage([ENGLISH], ALL)).toBe("de");
  const arabic = { ...EMPTY, language: "ar" } as const;
  expect(freeLanguage([ENGLISH, arabic], ALL)).toBe("de");
  expect(freeLanguage([ENGLISH, arabic, EMPTY], ALL)).toBe(null);
});

test("nothing is sent while a text is missing", () => {
  expect(textsOf([ENGLISH])).toEqual([
    { language: "en", subject: "Doors", text: "They open at 19:30." },
  ]);
  expect(textsOf([ENGLISH, EMPTY])).toBe(null);
});

test("one text changes and the others stay", () => {
  const draft: Draft = [ENGLISH, EMPTY];
  expect(withText(draft, 1, { subject: "Einlass" })).toEqual([
    ENGLISH,
    { ...EMPTY, subject: "Einlass" },
  ]);
});
