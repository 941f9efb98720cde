// The days of reports.
import { expect, test } from "vitest";
import { dayAfter, dayOf, daysWithin, isDay, monthOf, yearOf } from "./days";

test("days come one after the other, whatever the clocks do", () => {
  expect(dayAfter("2030-03-30", 1)).toBe("2030-03-31");
  expect(dayAfter("2030-03-31", 1)).toBe("2030-04-01");
  expect(dayAfter("2030-01-01", -1)).toBe("2029-12-31");
  expect(dayAfter("nonsense", 1)).toBe("nonsense");
});

test("the day of a moment is that of this browser's clocks", () => {
  expect(dayOf(new Date(2030, 0, 5, 0, 30))).toBe("2030-01-05");
  expect(dayOf(new Date(2030, 0, 5, 23, 30))).toBe("2030-01-05");
});

test("months and years", () => {
  expect(monthOf("2028-02-11")).toEqual({ first: "2028-02-01", last: "2028-02-29" });
  expect(monthOf("2030-01-31", -1)).toEqual({ first: "2029-12-01", last: "2029-12-31" });
  expect(yearOf("2029-03-01", -1)).toEqual({ first: "2028-01-01", last: "2028-12-31" });
  expect(daysWithin("2028-01-01", "2028-12-31")).toBe(366);
  expect(daysWithin("2030-03-30", "2030-04-01")).toBe(3);
  expect(daysWithin("2030-01-02", "2030-01-01")).toBe(0);
});

test("what is a day", () => {
  expect(isDay("2030-02-28")).toBe(true);
  expect(isDay("2030-02-30")).toBe(false);
  expect(isDay("yesterday")).toBe(false);
  expect(isDay(null)).toBe(false);
});
