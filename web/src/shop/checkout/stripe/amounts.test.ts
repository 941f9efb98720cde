// tests/unit/test_stripe_standings.py reads the same table: the form shows what the server charges.
import { expect, test } from "vitest";
import { amountForStripe } from "./amounts";
import table from "./amounts.json";

test.each(table)("$amount of $currency", ({ amount, currency, stripe }) => {
  expect(amountForStripe(amount, currency)).toBe(stripe);
});
