// Times by a venue's clocks.
import { expect, test } from "vitest";
import { clockTime, weekdayOf, weeklyTimes } from "./clocks";

test("a moment by the clocks of its zone, in winter and in summer", () => {
  expect(clockTime("2030-03-07T19:00:00Z", "Europe/Berlin")).toBe("2030-03-07T20:00");
  expect(clockTime("2030-07-07T18:00:00Z", "Europe/Berlin")).toBe("2030-07-07T20:00");
  expect(clockTime("2030-07-07T00:00:00+02:00", "Europe/Berlin")).toBe("2030-07-07T00:00");
});

test("every Friday, over a change to summer time, at the same clock", () => {
  expect(weekdayOf("2030-03-22")).toBe("fri");
  expect(weeklyTimes("2030-03-22", "2030-04-12", ["fri"], "20:00", 200)).toEqual([
    "2030-03-29T20:00",
    "2030-04-05T20:00",
    "2030-04-12T20:00",
  ]);
});

test("several days, and not more than as many as are allowed", () => {
  expect(weeklyTimes("2030-01-01", "2030-01-06", ["sat", "sun"], "15:00", 200)).toEqual([
    "2030-01-05T15:00",
    "2030-01-06T15:00",
  ]);
  expect(weeklyTimes("2030-01-01", "2039-01-01", ["sat"], "15:00", 5)).toHaveLength(5);
  expect(weeklyTimes("2030-01-01", "2030-01-01", ["tue"], "15:00", 5)).toEqual([]);
});
