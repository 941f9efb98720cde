import { expect, test } from "vitest";
import { secondsUntil } from "./linkEnd";

const NOON = new Date("2026-11-23T12:00").getTime();

test("a link ends as its day begins", () => {
  expect(secondsUntil("2026-11-24", NOON)).toBe(12 * 3600);
});

test("today has begun already", () => {
  expect(secondsUntil("2026-11-23", NOON)).toBeLessThan(1);
});

test("ten years are the most", () => {
  expect(secondsUntil("2099-01-01", NOON)).toBe(315_360_000);
});
