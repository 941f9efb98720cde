import { expect, test } from "vitest";
import { byResource, chanceOf } from "./chances";

const left = { units_left: 40, enough_for: [30, 12] };
// Not those of the server: whichever it brings along count.
const STEPS = [
  { chance: "very_likely", of: 1, parts: 3 },
  { chance: "uncertain", of: 2, parts: 1 },
] as const;

test("a chance is told by the first step that fits", () => {
  expect(chanceOf(left, [...STEPS], 0, 9)).toBe("very_likely");
  expect(chanceOf(left, [...STEPS], 0, 10)).toBe("uncertain");
  expect(chanceOf(left, [...STEPS], 0, 59)).toBe("uncertain");
  expect(chanceOf(left, [...STEPS], 0, 60)).toBe("unlikely");
  expect(chanceOf(left, [], 0, 0)).toBe("unlikely");
});

test("each queue has its own number", () => {
  expect(chanceOf(left, [...STEPS], 1, 24)).toBe("unlikely");
  expect(chanceOf(left, [...STEPS], 2, 0)).toBe("unknown");
});

test("what is gone is gone for the next, too; what is left for nobody is unlikely", () => {
  expect(chanceOf({ units_left: 0, enough_for: [0] }, [...STEPS], 0, 0)).toBe("gone");
  expect(chanceOf({ units_left: 0, enough_for: null }, [...STEPS], 0, null)).toBe("gone");
  expect(chanceOf({ units_left: 2, enough_for: [0] }, [...STEPS], 0, 0)).toBe("unlikely");
});

test("where nothing is measured, or nobody has a place, nothing is said", () => {
  expect(chanceOf({ units_left: 2, enough_for: null }, [...STEPS], 0, 5)).toBe("unknown");
  expect(chanceOf(left, [...STEPS], 0, null)).toBe("unknown");
});

test("categories are put together by their resource", () => {
  const one = { category: "a", units: 9, ...left };
  const all = ["r1", "r2", "r1"].map((resource_id) => ({ ...one, resource_id }));
  const counts = [...byResource(all)].map(([id, of]) => [id, of.length]);
  expect(counts).toEqual([
    ["r1", 2],
    ["r2", 1],
  ]);
});
