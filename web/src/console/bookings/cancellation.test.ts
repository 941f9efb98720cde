import { describe, expect, it } from "vitest";
import type { BookingView } from "~/api/schema";
import { bill } from "~/api/bill";
import { asked, fullAmount, placesLeft } from "./cancellation";

const line = (unit: string, quantity: number | null = null, cancelled_quantity = 0) => ({
  resource_id: "res_1",
  unit,
  quantity,
  cancelled_quantity,
});

const PAYMENT: NonNullable<BookingView["payment"]> = {
  id: "pay_1",
  hold_id: "hold_1",
  owner: "ann",
  provider: "sandbox",
  state: "captured",
  amount: { amount: 3300, currency: "EUR" },
  captured: { amount: 3300, currency: "EUR" },
  refunded: 0,
  refunding: 0,
  late: null,
  action_url: null,
  authorized_at: null,
  captured_at: "2026-11-21T10:00:00Z",
  created_at: "2026-11-21T10:00:00Z",
  ended_at: null,
  failure: null,
  window_ends_at: "2026-11-21T10:15:00Z",
};

const BOOKING: BookingView = {
  id: "bkg_1",
  code: "7K3M-Q2XD",
  hold_id: "hold_1",
  state: "confirmed",
  owner: "ann",
  amount: { amount: 3300, currency: "EUR" },
  confirmed_at: "2026-11-21T10:00:00Z",
  cancelled_at: null,
  reason: null,
  lines: [line("A1"), line("A2"), line("floor", 4, 1)],
  payment: PAYMENT,
  refunds: [],
  quote: {
    amounts: [1100, 1300, 800],
    fees: [100, 100, 0],
    order_fees: 100,
    cancellation: [],
    total: { amount: 3300, currency: "EUR" },
    lines: [],
  },
};

describe("a cancellation", () => {
  it("names no lines where it is of all that is left", () => {
    expect(asked(BOOKING, [0, 1, 2])).toBeNull();
  });

  it("names the lines that were chosen, with what is left of them", () => {
    expect(asked(BOOKING, [2])).toEqual([{ resource_id: "res_1", unit: "floor", quantity: 3 }]);
  });

  it("is never of what is gone", () => {
    const booking = { ...BOOKING, lines: [line("A1", null, 1), line("A2")] };
    expect(placesLeft(booking)).toEqual([1]);
    expect(asked(booking, [1])).toBeNull();
  });

  it("in full gives back all that was paid and not given back before", () => {
    const whole = { ...BOOKING, lines: [line("A1"), line("A2"), line("floor", 4)] };
    expect(fullAmount(whole, [0, 1, 2])).toBe(3300);
    const before = { ...whole, payment: { ...PAYMENT, refunding: 1000 } };
    expect(fullAmount(before, [0, 1, 2])).toBe(2300);
  });

  it("in full of a part gives back its price, its fee, and its share of the order's fee", () => {
    expect(fullAmount(BOOKING, [0])).toBe(1100 + 34);
    expect(fullAmount(BOOKING, [1])).toBe(1300 + 41);
    expect(fullAmount(BOOKING, [2])).toBe(825 - 206);
    expect(fullAmount({ ...BOOKING, quote: null }, [0])).toBeNull();
    expect(fullAmount({ ...BOOKING, payment: null }, [0])).toBe(0);
  });
});

describe("a bill", () => {
  const part = (label: string, amount: number, kind: "unit" | "fee" | "tax" = "unit") => ({
    label,
    amount,
    kind,
    quantity: 1,
    included: kind === "tax",
    line: 0,
    list_amount: null,
    terms: null,
  });

  it("puts alike lines together and adds up to the same", () => {
    const lines = [
      part("A1", 1000),
      part("Fee", 50, "fee"),
      part("A2", 1000),
      part("Fee", 50, "fee"),
      part("P1", 1800),
      part("VAT", 300, "tax"),
    ];
    const found = bill(lines);
    expect(found.map((one) => [one.label, one.quantity, one.amount])).toEqual([
      ["A1, A2", 2, 2000],
      ["Fee", 2, 100],
      ["P1", 1, 1800],
      ["VAT", 1, 300],
    ]);
    const sum = (all: readonly { amount: number }[]) => all.reduce((n, one) => n + one.amount, 0);
    expect(sum(found)).toBe(sum(lines));
  });
});
