// Opening hours between the form and the API.
import { expect, test } from "vitest";
import { WEEKDAYS } from "../programme/clocks";
import {
  copied,
  nextSpan,
  NO_HOURS,
  spansFaults,
  USUAL_WEEK,
  weekDraft,
  weekFaults,
  weekOf,
} from "./hours";

test("rules are read day by day, and written with the days that share them", () => {
  const week = weekDraft([
    { from: "14:00", to: "18:00", days: ["mon", "thu"] },
    { from: "08:30", to: "12:00", days: ["mon", "tue", "thu"] },
    { from: "20:00", to: "24:00", days: ["sat"] },
  ]);
  expect(week.mon).toEqual([
    { from: "08:30", to: "12:00" },
    { from: "14:00", to: "18:00" },
  ]);
  expect(week.sat).toEqual([{ from: "20:00", to: "00:00" }]);
  expect(week.sun).toEqual([]);
  expect(weekOf(week)).toEqual([
    { from: "08:30", to: "12:00", days: ["mon", "tue", "thu"] },
    { from: "14:00", to: "18:00", days: ["mon", "thu"] },
    { from: "20:00", to: "24:00", days: ["sat"] },
  ]);
});

test("a rule without days is for all, and a whole day is one", () => {
  const always = [{ from: "00:00", to: "24:00" }];
  expect(weekOf(weekDraft(always))).toEqual([{ ...always[0], days: [...WEEKDAYS] }]);
  expect(weekFaults(weekDraft(always))).toEqual([]);
  expect(weekOf(NO_HOURS)).toEqual([]);
});

test("what has no length or overlaps is said at its span", () => {
  const span = (from: string, to: string) => ({ from, to });
  expect(spansFaults([span("", "12:00"), span("09:00", "")])).toEqual(["0.span", "1.span"]);
  expect(spansFaults([span("09:00", "09:00")])).toEqual(["0.span"]);
  expect(spansFaults([span("09:00", "12:00"), span("11:59", "13:00")])).toEqual(["1.overlap"]);
  expect(spansFaults([span("09:00", "12:00"), span("09:00", "12:00")])).toEqual(["1.overlap"]);
  expect(spansFaults([span("09:00", "12:00"), span("12:00", "13:00")])).toEqual([]);
  // Into the night, where a later one of the same day would begin within it.
  expect(spansFaults([span("20:00", "02:00"), span("23:00", "23:30")])).toEqual(["1.overlap"]);
  expect(weekFaults({ ...NO_HOURS, fri: [span("10:00", "10:00")] })).toEqual(["fri.0.span"]);
});

test("a day is copied to others, and a second span goes on after the first", () => {
  const week = copied(USUAL_WEEK, "mon", WEEKDAYS);
  expect(weekOf(week)).toEqual([{ from: "09:00", to: "17:00", days: [...WEEKDAYS] }]);
  expect(nextSpan([])).toEqual({ from: "09:00", to: "17:00" });
  expect(nextSpan([{ from: "09:00", to: "12:00" }])).toEqual({ from: "13:00", to: "18:00" });
  for (const to of ["21:30", "22:30", "23:45", "00:00"]) {
    const last = { from: "18:00", to };
    const next = nextSpan([last]);
    expect(spansFaults([next])).toEqual([]);
  }
});
