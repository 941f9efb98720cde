// The form of the shop settings.
import { expect, test } from "vitest";
import type { MerchantView } from "~/api/schema";
import { draftOf, fieldOf, settingsChange, settingsOf } from "./draft";
import { NOBODY } from "./testing/views";

test("what was said comes back as it was", () => {
  const said: MerchantView = {
    ...NOBODY,
    name: "Lantern Hall",
    accent: "#0b6e4f",
    languages: ["de"],
    address: "Am Ufer 3\nBerlin",
    terms: { texts: { de: "AGB" }, edition: "1" },
    privacy: { url: "https://a.example", edition: "" },
  };
  const { name, accent, languages, address, terms, privacy } = settingsOf(draftOf(said));
  expect({ name, accent, languages, address }).toEqual({
    name: "Lantern Hall",
    accent: "#0b6e4f",
    languages: ["de"],
    address: "Am Ufer 3\nBerlin",
  });
  expect(terms).toEqual({ texts: { de: "AGB" }, edition: "1" });
  expect(privacy).toEqual({ url: "https://a.example", edition: "" });
});

test("an empty form takes everything away", () => {
  expect(new Set(Object.values(settingsOf(draftOf(NOBODY))))).toEqual(new Set([null]));
});

test("spaces and line ends of another system are none of the words", () => {
  const draft = { ...draftOf(NOBODY), name: "  A ", currency: "eur", address: "x\r\ny\r\n" };
  expect(settingsOf(draft)).toMatchObject({ name: "A", currency: "EUR", address: "x\ny" });
});

test("a language without words is left out", () => {
  const terms = { is: "texts" as const, url: "", texts: { de: "AGB", en: "  " }, edition: "" };
  expect(settingsOf({ ...draftOf(NOBODY), terms }).terms).toEqual({
    texts: { de: "AGB" },
    edition: "",
  });
});

test("a refusal is shown at its field", () => {
  expect(fieldOf({ field: "terms.url" })).toBe("terms");
  expect(fieldOf({ field: "languages[0]" })).toBe("languages");
  expect(fieldOf({})).toBeNull();
});

test("what somebody else saved before a new logo was read stays, and the same is refused", () => {
  const draft = { ...draftOf(NOBODY), name: "Mine" };
  const now = { ...NOBODY, version: 2, phone: "12" };
  expect(settingsChange(NOBODY, draft, now)).toEqual({ version: 2, name: "Mine" });
  const over = settingsChange(NOBODY, draft, { ...now, name: "Theirs" });
  expect(over).toEqual({ version: 0, name: "Mine" });
});
