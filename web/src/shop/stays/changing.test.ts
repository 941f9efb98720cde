import { expect, test } from "vitest";
import type { BookingView, CalendarNight } from "~/api/schema";
import { bookedRange, changedLines, pricedLines, roomsOf, withOwnNights } from "./changing";
import { givesAllBack } from "../bookings/givesAllBack";
import { calendarOf, canStay, NO_RANGE } from "./range";

const night = (date: string, rest: Partial<CalendarNight> = {}): CalendarNight => ({
  date,
  free: 1,
  price: 9000,
  arrive: true,
  min_nights: 1,
  max_nights: 5,
  ...rest,
});

const booked = (from: string, to: string) => ({
  lines: [
    {
      resource_id: "res_1",
      unit: "101",
      quantity: null,
      cancelled_quantity: 0,
      from,
      to,
      guests: 2,
      rate: "Saver",
    },
  ],
});

test("who changes a stay keeps the nights of their own, and what is free beside them", () => {
  const taken = { free: 0, arrive: false, min_nights: null, max_nights: null } as const;
  const nights = [
    night("2026-12-01", { max_nights: 1 }),
    night("2026-12-02", taken), // own
    night("2026-12-03", taken), // own
    night("2026-12-04", { max_nights: 1 }),
    night("2026-12-05", taken), // somebody else's
    night("2026-12-06"),
  ];
  const own = bookedRange(booked("2026-12-02", "2026-12-04"));
  expect(own).toEqual({ start: "2026-12-02", end: "2026-12-04" });
  const calendar = calendarOf(withOwnNights(nights, own ?? NO_RANGE, 1));
  const stays = (from: string) =>
    [1, 2, 3, 4, 5].filter((count) => canStay(calendar.get(from), count));
  expect(stays("2026-12-01")).toEqual([1, 2, 3, 4]);
  expect(stays("2026-12-02")).toEqual([1, 2, 3]);
  expect(stays("2026-12-03")).toEqual([1, 2]);
  expect(stays("2026-12-04")).toEqual([1]);
  expect(stays("2026-12-05")).toEqual([]);
  expect(calendar.get("2026-12-06")).toEqual(night("2026-12-06"));
  // A night that the house does not sell any more is nobody's to keep.
  const closed = nights.map((one) => (one.date === "2026-12-03" ? { ...one, closed: true } : one));
  const less = calendarOf(withOwnNights(closed, own ?? NO_RANGE, 1));
  expect([1, 2].filter((count) => canStay(less.get("2026-12-02"), count))).toEqual([1]);
  expect(canStay(less.get("2026-12-03"), 1)).toBe(false);
});

test("a changed stay is of the same guests and rate, in whatever rooms; its price is asked of those of now", () => {
  const range = { start: "2026-12-24", end: "2026-12-27" };
  const booking = booked("2026-12-02", "2026-12-04");
  const line = {
    resource_id: "res_1",
    quantity: null,
    from: "2026-12-24",
    to: "2026-12-27",
    guests: 2,
    rate: "Saver",
  };
  expect(changedLines(booking, range)).toEqual([{ ...line, unit: null }]);
  expect(pricedLines(booking, range)).toEqual([{ ...line, unit: "101" }]);
  expect(roomsOf(booking)).toBe(1);
  const other = { lines: [...booking.lines, ...booked("2026-12-03", "2026-12-04").lines] };
  expect(bookedRange(other)).toBeNull();
});

test("a stay is changed where all of its money would come back, its fees too", () => {
  const money = (amount: number) => ({ amount, currency: "EUR" });
  const paid = { payment: { amount: money(9000) }, refunds: [] } as unknown as BookingView;
  const lines = [
    {
      line: 0,
      resource_id: "res_1",
      unit: "101",
      quantity: 1,
      amount: 9000,
      basis_points: 10_000,
      rule: "before:86400",
    },
  ];
  expect(givesAllBack(undefined, paid)).toBe(false);
  expect(givesAllBack({ amount: 9000, lines }, paid)).toBe(true);
  expect(givesAllBack({ amount: 8500, lines }, paid)).toBe(false);
  const some = { ...paid, refunds: [{ amount: money(4000) }] } as unknown as BookingView;
  expect(givesAllBack({ amount: 5000, lines }, some)).toBe(true);
  const half = lines.map((line) => ({ ...line, basis_points: 5000 }));
  expect(givesAllBack({ amount: 9000, lines: half }, paid)).toBe(false);
});
