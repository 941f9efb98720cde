// What is found, and in which order.
import { expect, test } from "vitest";
import { plain, search, type Entry } from "./search";

const entry = (kind: Entry["kind"], title: string, ...texts: string[]): Entry => ({
  kind,
  title,
  more: "",
  href: `/${kind}/${title}`,
  texts: [title.toLowerCase(), ...texts],
});
const ENTRIES = [
  entry("field", "owner", "for whom"),
  entry("object", "Hold", "a timed claim"),
  entry("error", "unit_taken", "a unit is held"),
  entry("call", "place_hold", "/v1/holds", "place a hold"),
  entry("call", "release_hold", "/v1/holds/{hold_id}", "release a hold"),
];
const found = (question: string) => search(ENTRIES, question).map(({ title }) => title);

test("what is called so comes first", () => {
  expect(found("hold")[0]).toBe("Hold");
  expect(found("unit_taken")).toEqual(["unit_taken"]);
  expect(found("OWNER")).toEqual(["owner"]);
  expect(found("hold")).toEqual(["Hold", "place_hold", "release_hold"]);
  expect(found("whom")).toEqual(["owner"]);
});

test("all words must be there, in any order and anywhere", () => {
  expect(found("hold place")).toEqual(["place_hold"]);
  expect(found("hold nowhere")).toEqual([]);
  expect(found("  ")).toEqual([]);
  expect(found("rele")).toEqual(["release_hold"]);
});

test("Markdown is read as text", () => {
  expect(plain("a [hold](#hold) of `units`")).toBe("a hold of units");
});
