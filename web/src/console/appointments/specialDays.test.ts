// Exceptions between the form and the API.
import { expect, test } from "vitest";
import { NEW_SPECIAL, specialDraft, specialFaults, specialOf, withHoliday } from "./specialDays";

test("exceptions come back as they were, with the last day as people say it", () => {
  const all = [
    { date: "2030-12-24", hours: [{ from: "09:00", to: "12:00" }] },
    { from: "2030-07-01", to: "2030-07-15", closed: true },
    { date: "2030-05-01", closed: true },
  ];
  expect(specialDraft(all[1] ?? {})).toMatchObject({ first: "2030-07-01", last: "2030-07-14" });
  expect(all.map((one) => specialOf(specialDraft(one)))).toEqual(all);
  expect(specialFaults(all.map(specialDraft))).toEqual([]);
});

test("one day is one, however it is typed", () => {
  const day = { ...NEW_SPECIAL, first: "2030-03-01", last: "2030-03-01" };
  expect(specialOf(day)).toEqual({ date: "2030-03-01", closed: true });
});

test("what is missing is said at its field", () => {
  const open = { ...NEW_SPECIAL, isClosed: false };
  expect(
    specialFaults([
      NEW_SPECIAL,
      { ...open, first: "2030-03-02", last: "2030-03-01", spans: [] },
      { ...open, first: "2030-03-02", spans: [{ from: "10:00", to: "10:00" }] },
      // The hours of what is closed are not asked for.
      { ...NEW_SPECIAL, first: "2030-03-02", spans: [{ from: "", to: "" }] },
    ]),
  ).toEqual(["0.first", "1.last", "1.hours", "2.0.span"]);
});

test("a holiday is there once, in order", () => {
  expect(withHoliday(["2030-05-01", "2030-12-25"], "2030-10-03")).toEqual([
    "2030-05-01",
    "2030-10-03",
    "2030-12-25",
  ]);
  expect(withHoliday(["2030-05-01"], "2030-05-01")).toEqual(["2030-05-01"]);
});
