import i18next from "i18next";
import { afterAll, beforeAll, expect, test } from "vitest";
import { comma } from "./format";

beforeAll(async () => {
  await i18next.init({ resources: {} });
});

// The files of a worker share the language.
afterAll(async () => {
  await i18next.changeLanguage("en");
});

test.each([
  ["ar", "أ، ب"],
  ["ar-EG", "أ، ب"],
  ["de", "أ, ب"],
])("parts of a list in %s are parted by the comma of the language", async (language, listed) => {
  await i18next.changeLanguage(language);
  expect(["أ", "ب"].join(comma())).toBe(listed);
});
