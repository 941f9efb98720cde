import { expect, test } from "vitest";
import { arrivalsAMinute, minutesToSoldOut } from "./outlook";
import type { Moment } from "./useRoom";

const moment = (at: number, part: Partial<Moment> = {}): Moment => ({
  at,
  waiting: 0,
  inside: 0,
  aMinute: 0,
  joined: 0,
  left: null,
  ...part,
});

test("arrivals are those of the last minute, as soon as ten seconds were seen", () => {
  expect(arrivalsAMinute([])).toBeNull();
  expect(arrivalsAMinute([moment(0), moment(8, { joined: 90 })])).toBeNull();
  expect(arrivalsAMinute([moment(0), moment(10, { joined: 50 })])).toBe(300);
  const long = [moment(0), moment(100, { joined: 900 }), moment(160, { joined: 930 })];
  expect(arrivalsAMinute(long)).toBe(30);
});

test("what is left is gone in so many minutes", () => {
  const left = (at: number, units: number | null) => moment(at, { left: units });
  expect(minutesToSoldOut([left(0, 500), left(60, 400)])).toBe(4);
  expect(minutesToSoldOut([left(0, 500), left(60, 499)])).toBe(499);
});

test.each([
  ["it gets more", 400, 500],
  ["it stays", 500, 500],
  ["nothing is left", 500, 0],
  ["nobody counts it", null, null],
  ["it takes days", 1_000_000, 999_999],
])("there is no outlook where %s", (_, first, last) => {
  expect(minutesToSoldOut([moment(0, { left: first }), moment(60, { left: last })])).toBeNull();
});
