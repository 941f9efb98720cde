import { expect, test } from "vitest";
import type { BookedLine } from "~/api/schema";
import { differenceOf } from "./difference";

const line = (gone: number): BookedLine => ({
  resource_id: "res_1",
  unit: "rao",
  quantity: 2,
  cancelled_quantity: gone,
});
const booking = { amount: { amount: 4000, currency: "EUR" }, lines: [line(0)], payment: null };

test("what was paid counts by what comes back, and is not told before that is known", () => {
  const paid = { ...booking, payment: {} };
  expect(differenceOf(paid, 4500, undefined)).toBeNull();
  expect(differenceOf(paid, 4500, 4000)).toEqual({
    isPaid: true,
    before: 4000,
    more: 500,
    say: "more",
  });
  expect(differenceOf(paid, 3000, 4000)).toMatchObject({ more: -1000, say: "less" });
});

test("what is paid on the spot counts by its price, unless a part of it is gone", () => {
  expect(differenceOf(booking, 4000, undefined)).toMatchObject({ isPaid: false, say: "even" });
  expect(differenceOf({ ...booking, lines: [line(1)] }, 4000, undefined)).toBeNull();
});
