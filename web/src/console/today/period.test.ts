// The periods of the overview, and days as times.
import { describe, expect, it } from "vitest";
import { dayBounds, isPeriod, periodStart } from "./period";

describe("a period", () => {
  const now = new Date(2026, 10, 21, 15, 30, 12);

  it("of today begins at midnight here", () => {
    expect(periodStart("today", now)).toEqual(new Date(2026, 10, 21));
  });

  it("of hours begins so many hours ago", () => {
    expect(now.getTime() - periodStart("hour", now).getTime()).toBe(3_600_000);
    expect(now.getTime() - periodStart("day", now).getTime()).toBe(24 * 3_600_000);
    expect(now.getTime() - periodStart("week", now).getTime()).toBe(7 * 24 * 3_600_000);
  });

  it("has one of the names that there are", () => {
    expect(isPeriod("week")).toBe(true);
    expect(isPeriod("year")).toBe(false);
  });
});

describe("a day", () => {
  it("goes from midnight to midnight", () => {
    const bounds = dayBounds("2026-12-31");
    expect(bounds?.from).toBe(new Date(2026, 11, 31).toISOString());
    expect(bounds?.to).toBe(new Date(2027, 0, 1).toISOString());
  });

  it("is none where the calendar has no such day", () => {
    expect(dayBounds("")).toBeNull();
    expect(dayBounds("2026-02-30")).toBeNull();
    expect(dayBounds("tomorrow")).toBeNull();
  });
});
