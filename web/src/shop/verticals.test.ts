import { expect, test, vi } from "vitest";
import { fits } from "./ahead";
import { inOrder, verticalNamed } from "./loadVerticals";
import type { ShopVertical } from "./verticals";

const load = vi.fn<() => Promise<ShopVertical>>();
const FOUND = { "./plays/vertical.tsx": load };

test("a vertical with pages is found by its folder", () => {
  expect(verticalNamed("plays", FOUND)).toBe(load);
});

test("one without pages, and names that are none, are not", () => {
  for (const name of ["rides", "", "../plays", "constructor", "__proto__"]) {
    expect(verticalNamed(name, FOUND)).toBeUndefined();
  }
});

test("what comes last is home only where nothing else is open", () => {
  const [last, one, other] = [
    { name: "last", comesLast: true },
    { name: "one", comesLast: false },
    { name: "other", comesLast: false },
  ] as const;
  expect(inOrder([last, one, other])).toEqual([one, other, last]);
});

test("a path is one of the route that has as many parts, and the same ones", () => {
  expect(fits("/", "/")).toBe(true);
  expect(fits("/films/:film", "/films/flm_1")).toBe(true);
  for (const path of ["/films", "/films/flm_1/shows", "/events/flm_1", "/"]) {
    expect(fits("/films/:film", path)).toBe(false);
  }
});
