import { expect, test } from "vitest";
import type { BookingView, CalendarNight } from "~/api/schema";
import {
  amountsByLine,
  bookedRange,
  changedLines,
  pricedLines,
  refusedListings,
  roomsOf,
  together,
  withOwnNights,
} from "./changing";
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
  expect([...roomsOf(booking)]).toEqual([["res_1", 1]]);
  const other = { lines: [...booking.lines, ...booked("2026-12-03", "2026-12-04").lines] };
  expect(bookedRange(other)).toBeNull();
});

test("a booking of several listings is one stay where all of it is of the same nights", () => {
  const { lines } = booked("2026-12-02", "2026-12-04");
  const [line] = lines;
  if (line === undefined) throw new Error("there is a line");
  const suite = { ...line, resource_id: "res_2", unit: null, quantity: 3, cancelled_quantity: 1 };
  const booking = { lines: [...lines, suite] };
  expect(bookedRange(booking)).toEqual({ start: "2026-12-02", end: "2026-12-04" });
  expect([...roomsOf(booking)]).toEqual([
    ["res_1", 1],
    ["res_2", 2],
  ]);
  const range = { start: "2026-12-24", end: "2026-12-27" };
  expect(
    changedLines(booking, range).map(({ resource_id: id, quantity }) => [id, quantity]),
  ).toEqual([
    ["res_1", null],
    ["res_2", 2],
  ]);
  const journey = { ...line, resource_id: "res_3", from: "Hamburg", to: "Berlin" };
  expect(bookedRange({ lines: [journey] })).toBeNull();
});

test("a day of several listings is good for what it is good for in all of them", () => {
  const day = "2026-12-01";
  const both = (one: Partial<CalendarNight>, other: Partial<CalendarNight>) =>
    together([
      { nights: [night(day, one)], rooms: 1 },
      { nights: [night(day, other), night("2026-12-02")], rooms: 2 },
    ]);
  const stays = (...of: Parameters<typeof both>) => {
    const calendar = calendarOf(both(...of));
    return [1, 2, 3, 4, 5, 6, 7].filter((count) => canStay(calendar.get(day), count));
  };
  // Of two rooms of the second one, and only days that all calendars have.
  expect(both({}, { free: 2, price: 100 })).toMatchObject([{ date: day, free: 1, price: 9200 }]);
  expect(stays({ min_nights: 2 }, { free: 2, max_nights: 4 })).toEqual([2, 3, 4]);
  expect(stays({ max_nights: null }, { free: 2, min_nights: 7, max_nights: null })).toEqual([7]);
  expect(stays({ arrive: false, reason: "closed_to_arrival" }, { free: 2 })).toEqual([]);
  expect(both({ arrive: false, reason: "closed_to_arrival" }, {})[0]?.reason).toBe(
    "closed_to_arrival",
  );
  expect(stays({ max_nights: 2 }, { min_nights: 3 })).toEqual([]);
  const weeks: [number, number][] = [
    [2, 3],
    [5, 7],
  ];
  expect(stays({ lengths: weeks }, { free: 2, min_nights: 3, max_nights: 6 })).toEqual([3, 5, 6]);
  expect(stays({ lengths: weeks }, { lengths: [[4, 4]] })).toEqual([]);
  // One room is not enough where two are wanted.
  expect(both({}, { free: 1, arrive: false })[0]?.free).toBe(0);
  // One listing alone is told as it is: its price is that of one room.
  const alone = [night(day, { free: 3, lengths: weeks })];
  expect(together([{ nights: alone, rooms: 2 }])).toEqual(alone);
  expect(together([])).toEqual([]);
});

test("what each room costs is told without what is of the whole order", () => {
  const part = { kind: "unit" as const, label: "101", amount: 9000 };
  const lines = [
    { ...part, line: 0 },
    { ...part, kind: "fee" as const, label: "Cleaning", amount: 500, line: 0 },
    { ...part, kind: "tax" as const, label: "VAT", amount: 700, line: 0, included: true },
    { ...part, amount: 20_000, line: 1 },
    { ...part, kind: "fee" as const, label: "Booking", amount: 300, line: null },
  ];
  expect([...amountsByLine({ lines })]).toEqual([
    [0, 9500],
    [1, 20_000],
  ]);
});

test("a refusal is about the listing that it names, or about those whose rooms are taken", () => {
  const lines = ["res_1", "res_2", "res_1"].map((id) => ({ resource_id: id }));
  expect(refusedListings({ line: 1 }, lines)).toEqual(["res_2"]);
  expect(refusedListings({ resource_id: "res_9" }, lines)).toEqual(["res_9"]);
  const taken = ["res_1", "res_1", "res_3"].map((id) => ({ resource_id: id, unit: "101" }));
  expect(refusedListings({ conflicts: taken }, lines)).toEqual(["res_1"]);
  expect(refusedListings({ conflicts: "none" }, lines)).toEqual([]);
  expect(refusedListings({}, lines)).toEqual([]);
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
