// The appointments of a day in their columns.
import { expect, test } from "vitest";
import type { Appointment } from "~/api/schema";
import { layoutOf } from "./agendaLayout";

const at = (provider: string, from: string, to: string): Appointment => ({
  state: "booked",
  provider,
  service: "Check-up",
  from: `2030-03-04T${from}:00+01:00`,
  to: `2030-03-04T${to}:00+01:00`,
  quantity: 1,
  booking_id: null,
  code: null,
  guest: null,
  arrived: false,
  payment: null,
  amount: null,
  hold_id: null,
  until: null,
  block_id: null,
  reason: null,
});

test("each stands as far down as it begins, in the column of its provider", () => {
  const layout = layoutOf(
    ["A", "B"],
    [at("A", "09:30", "10:00"), at("A", "11:00", "12:15"), at("C", "09:45", "10:00")],
  );
  expect(layout.hours.map((hour) => hour.toISOString().slice(11, 16))).toEqual([
    "08:00",
    "09:00",
    "10:00",
    "11:00",
    "12:00",
  ]);
  expect([layout.minutes, layout.shortest]).toEqual([240, 15]);
  expect(layout.columns.map(({ provider }) => provider)).toEqual(["A", "B", "C"]);
  const [one, two] = layout.columns[0]?.placed ?? [];
  expect([one?.top, one?.minutes, one?.lane, one?.lanes]).toEqual([30, 30, 0, 1]);
  expect([two?.top, two?.minutes]).toEqual([120, 75]);
});

test("what overlaps stands side by side, and what follows has the whole width again", () => {
  const layout = layoutOf(
    ["A"],
    [
      at("A", "10:00", "11:00"),
      at("A", "10:00", "11:00"),
      at("A", "10:30", "11:30"),
      at("A", "11:00", "11:30"),
      at("A", "12:00", "12:30"),
    ],
  );
  expect(layout.columns[0]?.placed.map(({ lane, lanes }) => [lane, lanes])).toEqual([
    [0, 3],
    [1, 3],
    [2, 3],
    [0, 3],
    [0, 1],
  ]);
});

test("hours begin where the clocks of the team say so", () => {
  const kolkata = { from: "2030-03-04T09:10:00+05:30", to: "2030-03-04T09:40:00+05:30" };
  const layout = layoutOf(["A"], [{ ...at("A", "09:10", "09:40"), ...kolkata }]);
  expect(layout.hours[0]?.toISOString()).toBe("2030-03-04T03:30:00.000Z");
  expect(layout.columns[0]?.placed[0]?.top).toBe(10);
});

test("a column is as wide as its fullest time needs", () => {
  const guests = Array.from({ length: 20 }, () => at("A", "10:00", "11:00"));
  const layout = layoutOf(["A", "B"], [...guests, at("A", "12:00", "12:30")]);
  expect(layout.columns.map(({ lanes }) => lanes)).toEqual([20, 1]);
});

test("a night in which the clocks go back has an hour more", () => {
  const night = { from: "2030-10-27T01:30:00+02:00", to: "2030-10-27T03:30:00+01:00" };
  const layout = layoutOf(["A"], [{ ...at("A", "01:30", "03:30"), ...night }]);
  expect([layout.minutes, layout.shortest]).toEqual([240, 180]);
});

test("a day without appointments has its columns all the same", () => {
  const layout = layoutOf(["A", "B"], []);
  expect([layout.minutes, layout.columns.length, layout.hours.length]).toEqual([0, 2, 0]);
});
