import { expect, test } from "vitest";
import { named, vocabularyFor } from "./vocabulary";

const PLAN = [
  { language: "de-AT", words: { Circle: "Balkon" } },
  { language: "de", words: { Stalls: "Saal", Circle: "Rang" } },
];
const RESOURCE = [{ language: "DE", words: { Stalls: "Parkett" } }];

test.each([
  ["de", { Stalls: "Parkett", Circle: "Rang" }],
  ["de-AT", { Stalls: "Parkett", Circle: "Balkon" }],
  ["de-CH-1901", { Stalls: "Parkett", Circle: "Rang" }],
  ["en-GB", {}],
])("in %s", (locale, words) => {
  expect(vocabularyFor(locale, PLAN, RESOURCE)).toEqual(words);
});

test("what is no translation is passed over, and a text without one stays", () => {
  const odd = [
    null,
    1,
    { language: "de" },
    { language: 1, words: {} },
    { language: "de", words: { a: 1, b: "" } },
  ];
  expect(vocabularyFor("de", odd, "x", undefined)).toEqual({});
  expect(named({ Stalls: "Parkett" }, "Stalls")).toBe("Parkett");
  expect(named({}, "Circle")).toBe("Circle");
  expect(named({}, "constructor")).toBe("constructor");
});
