// Fees, taxes and refunds between the form and the API.
import { expect, test } from "vitest";
import type { Pricing } from "~/api/schema";
import { termsDraft, termsFaults, termsPricing } from "./terms";

const SAID: Pricing = {
  fees: [{ name: "Booking fee", per: "unit", amount: 150, basis_points: 0, taxable: true }],
  taxes: [{ name: "VAT", basis_points: 700, included: true }],
  cancellation: {
    free_until_seconds: 172_800,
    tiers: [{ before_seconds: 0, basis_points: 5000 }],
    fees_back: false,
  },
};

test("what was said comes back as it was", () => {
  const draft = termsDraft(SAID, "EUR");
  expect(draft.refund).toEqual({ is: "until", days: "2", after: "half", feesBack: false });
  expect(termsFaults(draft, "EUR")).toEqual([]);
  expect(termsPricing(draft, "EUR", SAID)).toEqual(SAID);
});

test("nothing said is nothing", () => {
  expect(termsPricing(termsDraft(null, "EUR"), "EUR", null)).toBeNull();
});

test("rules of another shape, codes and steps are kept", () => {
  const other: Pricing = {
    cancellation: { free_until_seconds: 3600, tiers: [] },
    codes: [{ code: "AB", capacity: 1 }],
  };
  const draft = termsDraft(other, "EUR");
  expect(draft.refund.is).toBe("other");
  expect(termsPricing(draft, "EUR", other)).toMatchObject(other);
});

test("never, and a wrong line", () => {
  const draft = termsDraft({ cancellation: { refundable: false } }, "EUR");
  expect(termsPricing(draft, "EUR", null)?.cancellation).toEqual({
    refundable: false,
    fees_back: false,
  });
  const wrong = {
    ...draft,
    fees: [{ name: "", per: "unit" as const, amount: "x", share: "", isTaxable: true }],
    taxes: [{ name: "VAT", share: "", isIncluded: true }],
    refund: { ...draft.refund, is: "until" as const, days: "-1" },
  };
  expect(termsFaults(wrong, "EUR")).toEqual([
    "fees.0.name",
    "fees.0.amount",
    "taxes.0.share",
    "refund.days",
  ]);
});
