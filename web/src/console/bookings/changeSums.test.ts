// The sums that a clerk reads before they take money for other dates of a stay.
import { expect, test } from "vitest";
import { isSame, sumsOf, unpaidStay } from "./changeSums";

const line = (quantity: number | null, cancelled_quantity: number) => ({
  resource_id: "res_1",
  unit: "101",
  quantity,
  cancelled_quantity,
});

test("whoever takes money takes all of the new price; what goes back is told beside it", () => {
  const sums = sumsOf(48_000, { isPaid: true, amount: 32_000 }, true);
  expect(sums).toEqual({
    take: 48_000,
    back: 32_000,
    before: null,
    more: 16_000,
    isNothingBack: false,
  });
  expect(sumsOf(20_000, { isPaid: true, amount: 32_000 }, true)).toMatchObject({
    take: 20_000,
    more: -12_000,
  });
});

test("for a stay that was not paid nothing goes back, and no difference is told", () => {
  const sums = sumsOf(48_000, { isPaid: false, amount: 32_000 }, true);
  expect(sums).toEqual({
    take: 48_000,
    back: null,
    before: null,
    more: null,
    isNothingBack: true,
  });
});

test("where nothing is taken now the two prices are compared", () => {
  const unpaid = sumsOf(48_000, { isPaid: false, amount: 32_000 }, false);
  expect(unpaid).toEqual({
    take: null,
    back: null,
    before: 32_000,
    more: 16_000,
    isNothingBack: false,
  });
  const paid = sumsOf(48_000, { isPaid: true, amount: 32_000 }, false);
  expect(paid).toMatchObject({ take: null, back: 32_000, more: 16_000 });
});

test("of an unpaid stay that was cancelled in part no price of before is told", () => {
  const amount = { amount: 32_000, currency: "EUR" };
  expect(unpaidStay({ amount, lines: [line(null, 0)] }).amount).toBe(32_000);
  for (const lines of [[line(null, 0), line(null, 1)], [line(3, 1)]]) {
    const stay = unpaidStay({ amount, lines });
    expect(sumsOf(20_000, stay, false)).toMatchObject({ before: null, more: null });
  }
});

test("sums are the same in one currency only", () => {
  const euros = { amount: 100, currency: "EUR" };
  expect(isSame(euros, { ...euros })).toBe(true);
  expect(isSame(euros, { amount: 101, currency: "EUR" })).toBe(false);
  expect(isSame(euros, { amount: 100, currency: "CHF" })).toBe(false);
});
