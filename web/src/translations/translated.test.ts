// Translations between the form and the API.
import { expect, test } from "vitest";
import {
  languageName,
  otherLanguages,
  readTranslations,
  writeTranslations,
  writingIn,
} from "./translated";

const TYPED = { title: "Four hands", summary: "An evening" };
const STORED = [{ language: "de", words: { "Four hands": "Vier Hände", Stalls: "Parkett" } }];

test("a text's translation is read by the text", () => {
  expect(readTranslations(STORED, TYPED)).toEqual({ de: { title: "Vier Hände" } });
});

test("a translation goes along with a text that is typed anew, and others' words stay", () => {
  const typed = { ...TYPED, title: "Six hands" };
  const translated = { de: { title: "Sechs Hände", summary: "" }, ar: { summary: "أمسية" } };
  expect(writeTranslations(translated, typed, TYPED, STORED)).toEqual([
    { language: "de", words: { Stalls: "Parkett", "Six hands": "Sechs Hände" } },
    { language: "ar", words: { "An evening": "أمسية" } },
  ]);
});

test("nothing is translated of what is empty or too long to be a name", () => {
  const typed = { title: "", description: "x".repeat(4001) };
  const translated = { de: { title: "A", description: "B" } };
  expect(writeTranslations(translated, typed, typed, [])).toEqual([]);
});

test("the shop's first language is the one that is typed", () => {
  expect(otherLanguages(["de", "en"], "en")).toEqual(["en"]);
  expect(otherLanguages(null, "en")).toEqual(["de", "ar"]);
});

test("a language is called by itself where the pages speak it, and by the browser elsewhere", () => {
  expect(languageName("de", "en")).toBe("Deutsch");
  expect(languageName("pt-BR", "en")).toContain("Portuguese");
  expect(languageName("de-1", "en")).toBe("de-1");
  expect(writingIn("ar")).toEqual({ lang: "ar", dir: "rtl" });
  expect(writingIn("fa")).toEqual({ lang: "fa", dir: "auto" });
});
