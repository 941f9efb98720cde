// Legal texts: their address and their language.
import { expect, test } from "vitest";
import type { MerchantView } from "~/api/schema";
import { isLegalName, legalHref, wordsIn } from "./legal";

const MERCHANT = {
  terms: { texts: { de: "AGB", en: "Terms" }, edition: "" },
  privacy: { url: "https://a.example/privacy", texts: {}, edition: "" },
  imprint: null,
} as unknown as MerchantView;

test("a text is read here, or where the merchant has it", () => {
  expect(legalHref(MERCHANT, "terms")).toBe("/legal/terms");
  expect(legalHref(MERCHANT, "privacy")).toBe("https://a.example/privacy");
  expect(legalHref(MERCHANT, "imprint")).toBeNull();
  expect(legalHref(null, "terms")).toBeNull();
});

test("in the visitor's language, or else in the first one", () => {
  const text = { texts: { de: "AGB", en: "Terms" } };
  expect(wordsIn(text, "en")).toEqual({ language: "en", words: "Terms" });
  expect(wordsIn(text, "ar")).toEqual({ language: "de", words: "AGB" });
  expect(wordsIn({}, "ar")).toBeNull();
});

test("no other page is a legal text", () => {
  expect(isLegalName("terms")).toBe(true);
  expect(isLegalName("name")).toBe(false);
});
