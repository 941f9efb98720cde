import { expect, test } from "vitest";
import { splitByTime, type BookingItem } from "./MyBookingsPage";
import { leftLines } from "./leftLines";
import { refundsState, ruleWords } from "./refunds";

const booking = (id: string, state: string, startsAt: string | null) =>
  ({
    booking: { id, state, confirmed_at: "2026-11-20T10:00:00Z", lines: [], refunds: [] },
    resource: { name: id, starts_at: startsAt, time_zone: "UTC" },
  }) as unknown as BookingItem;

test("what is to come comes first and soonest first; the past is last and latest first", () => {
  const now = Date.parse("2026-11-21T12:00:00Z");
  const items = [
    booking("old", "confirmed", "2026-11-19T12:00:00Z"),
    booking("later", "confirmed", "2026-11-25T12:00:00Z"),
    booking("now", "confirmed", "2026-11-21T11:00:00Z"),
    booking("gone", "cancelled", "2026-11-24T12:00:00Z"),
  ];
  const { coming, past } = splitByTime(items, now);
  expect(coming.map((one) => one.resource.name)).toEqual(["now", "later"]);
  expect(past.map((one) => one.resource.name)).toEqual(["gone", "old"]);
});

test("a stay is to come until its last day is over", () => {
  const stay = (id: string, from: string, to: string) => {
    const item = booking(id, "confirmed", null);
    return { ...item, booking: { ...item.booking, lines: [{ from, to }] } } as BookingItem;
  };
  const items = [
    stay("over", "2026-11-10", "2026-11-19"),
    stay("leaves today", "2026-11-18", "2026-11-21"),
    stay("soon", "2026-11-22", "2026-11-24"),
  ];
  const { coming, past } = splitByTime(items, Date.parse("2026-11-21T12:00:00Z"));
  expect(coming.map((one) => one.resource.name)).toEqual(["leaves today", "soon"]);
  expect(past.map((one) => one.resource.name)).toEqual(["over"]);
});

test("what was given back is not left", () => {
  const lines = [
    { resource_id: "r", unit: "F7", quantity: null, cancelled_quantity: 1 },
    { resource_id: "r", unit: "F8", quantity: null, cancelled_quantity: 0 },
    { resource_id: "r", unit: "floor", quantity: 5, cancelled_quantity: 2 },
  ];
  expect(leftLines({ lines }).map((line) => [line.unit, line.left])).toEqual([
    ["F8", 1],
    ["floor", 3],
  ]);
});

test("the rule of a refund is said in hours, or in days where these are many", () => {
  expect(ruleWords("before:7200")).toEqual({ say: "before", hours: 2 });
  expect(ruleWords("before:604800")).toEqual({ say: "before_days", hours: 7 });
  expect(ruleWords("too_late")).toEqual({ say: "too_late", hours: 0 });
});

test("refunds stand as the slowest of them", () => {
  expect(refundsState([])).toBe("none");
  expect(refundsState([{ state: "refunded" }, { state: "pending" }])).toBe("pending");
  expect(refundsState([{ state: "refunded" }, { state: "failed" }])).toBe("failed");
  expect(refundsState([{ state: "refunded" }])).toBe("refunded");
});
