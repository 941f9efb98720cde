import fc from "fast-check";
import { expect, test } from "vitest";
import { addDays, dateIn, daysFrom, isDate } from "./days";

test("the date is that of the place, not of the visitor", () => {
  const at = new Date("2026-11-21T20:00:00Z");
  expect(dateIn("Asia/Kolkata", at)).toBe("2026-11-22");
  expect(dateIn("Europe/Berlin", at)).toBe("2026-11-21");
  expect(dateIn("America/Los_Angeles", at)).toBe("2026-11-21");
  expect(dateIn("Pacific/Kiritimati", at)).toBe("2026-11-22");
});

test("an unknown zone is taken for UTC", () => {
  expect(dateIn("Nowhere/At_All", new Date("2026-11-21T23:59:00Z"))).toBe("2026-11-21");
});

test("seven days go over the end of a month, of a year, and a change of clocks", () => {
  expect(daysFrom("UTC", new Date("2026-12-29T12:00:00Z"), 7)).toEqual([
    "2026-12-29",
    "2026-12-30",
    "2026-12-31",
    "2027-01-01",
    "2027-01-02",
    "2027-01-03",
    "2027-01-04",
  ]);
  const spring = daysFrom("Europe/Berlin", new Date("2026-03-28T23:30:00Z"), 3);
  expect(spring).toEqual(["2026-03-29", "2026-03-30", "2026-03-31"]);
});

test("a day later and a day earlier is the same day", () => {
  const dates = fc.date({
    min: new Date("1970-01-02T00:00:00Z"),
    max: new Date("2199-12-30T00:00:00Z"),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(dates, fc.integer({ min: -400, max: 400 }), (at, days) => {
      const date = at.toISOString().slice(0, 10);
      expect(addDays(addDays(date, days), -days)).toBe(date);
    }),
  );
});

test("only dates that there are, are dates", () => {
  expect(["2026-02-28", "2028-02-29"].every(isDate)).toBe(true);
  const wrong = ["2026-02-30", "2026-13-01", "26-01-01", "2026-1-1", "", "<script>", "2026-02-29"];
  expect(wrong.some(isDate)).toBe(false);
});
