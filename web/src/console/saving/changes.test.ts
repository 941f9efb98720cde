import { expect, test } from "vitest";
import { changed, isOver } from "./changes";

const BEGAN = { name: "House", city: "Bath", lines: [{ price: 1 }] };

test("only what differs is sent, also what was emptied", () => {
  expect(changed(BEGAN, { ...BEGAN, city: null, lines: [{ price: 1 }] })).toEqual({ city: null });
  expect(changed(BEGAN, { ...BEGAN })).toEqual({});
});

test("what others changed is in the way only where the form changes the same", () => {
  const theirs = { ...BEGAN, lines: [{ price: 2 }] };
  expect(isOver(BEGAN, theirs, { city: "Wells" })).toBe(false);
  expect(isOver(BEGAN, theirs, { lines: [{ price: 3 }] })).toBe(true);
  expect(isOver(BEGAN, { ...BEGAN }, { lines: [{ price: 3 }] })).toBe(false);
});

test("what is there already is over nobody, as after a lost answer", () => {
  expect(isOver(BEGAN, { ...BEGAN, city: "Wells" }, { city: "Wells" })).toBe(false);
});
