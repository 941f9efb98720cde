import { expect, test, vi } from "vitest";
import { verticalNamed, type ShopVertical } from "./verticals";

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
