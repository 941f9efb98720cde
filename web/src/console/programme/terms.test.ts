// Fees, taxes and refunds between the form and the API.
import { expect, test } from "vitest";
import type { Pricing } from "~/api/schema";
import { NEW_CODE, termsDraft, termsFaults, termsPricing, NEW_GUEST_TAX, NEW_TAX } from "./terms";

const SAID: Pricing = {
  fees: [{ name: "Booking fee", per: "unit", amount: 150, basis_points: 0, taxable: true }],
  taxes: [{ name: "VAT", basis_points: 700, included: true }],
  codes: [
    {
      code: "FRIENDS",
      capacity: 20,
      basis_points: 1000,
      amount: 0,
      presale: false,
      valid_until: "2030-01-01T10:00:00Z",
    },
  ],
  steps: [{ from_basis_points: 5000, basis_points: 1250 }],
  cancellation: {
    free_until_seconds: 172_800,
    tiers: [{ before_seconds: 0, basis_points: 5000 }],
    fees_back: false,
  },
};

test("what was said comes back as it was", () => {
  const draft = termsDraft(SAID, "EUR");
  expect(draft.refund).toEqual({
    is: "until",
    full: { count: "2", unit: "days" },
    steps: [{ count: "0", unit: "days", share: "50" }],
    feesBack: false,
  });
  expect(termsFaults(draft, "EUR")).toEqual([]);
  expect(termsPricing(draft, "EUR", SAID)).toEqual(SAID);
});

test("nothing said is nothing", () => {
  expect(termsPricing(termsDraft(null, "EUR"), "EUR", null)).toBeNull();
});

test("rules of another shape are kept", () => {
  const other: Pricing = {
    cancellation: { free_until_seconds: 1800, tiers: [] },
    codes: [{ code: "AB", capacity: 1 }],
    steps: [{ from_count: 10, amount: 500 }],
  };
  const draft = termsDraft(other, "EUR");
  expect(draft.refund.is).toBe("other");
  expect(draft.steps).toBeNull();
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
    taxes: [{ ...NEW_TAX, name: "VAT", share: "", isIncluded: true }],
    refund: { ...draft.refund, is: "until" as const, full: { count: "-1", unit: "days" as const } },
  };
  expect(termsFaults(wrong, "EUR")).toEqual([
    "fees.0.name",
    "fees.0.amount",
    "taxes.0.share",
    "refund.full",
  ]);
});

test("more codes than a form can show are kept", () => {
  const codes = Array.from({ length: 51 }, (_, at) => ({ code: `C${at}`, capacity: 1 }));
  const draft = termsDraft({ codes }, "EUR");
  expect(draft.codes).toBeNull();
  expect(termsPricing(draft, "EUR", { codes })?.codes).toEqual(codes);
});

test("codes and steps that make no sense are named", () => {
  const draft = {
    ...termsDraft(null, "EUR"),
    codes: [
      { ...NEW_CODE, code: "A", capacity: "5", share: "10" },
      { ...NEW_CODE, code: " A ", capacity: "", amount: "x" },
      { ...NEW_CODE, code: "", capacity: "1" },
      { ...NEW_CODE, code: "EARLY", capacity: "9", isPresale: true },
    ],
    steps: [
      { from: "50", share: "10" },
      { from: "50", share: "" },
      { from: "0", share: "5" },
    ],
  };
  expect(termsFaults(draft, "EUR")).toEqual([
    "codes.1.twice",
    "codes.1.capacity",
    "codes.1.amount",
    "codes.2.name",
    "codes.2.amount",
    "steps.1.from",
    "steps.1.share",
    "steps.2.from",
  ]);
});

test("steps go out in their order", () => {
  const steps = [
    { from: "80", share: "20" },
    { from: "50", share: "10" },
  ];
  const made = termsPricing({ ...termsDraft(null, "EUR"), steps }, "EUR", null);
  expect(made?.steps?.map((one) => one.from_basis_points)).toEqual([5000, 8000]);
});

test("keeps a tax for each guest and night, and says what of it cannot be read", () => {
  const tax = { name: "City tax", included: false, guest_night: 250, age_from: 16, nights_max: 7 };
  const draft = termsDraft({ taxes: [tax] } as Pricing, "EUR");
  expect(draft.taxes[0]).toMatchObject({ per: "guestNight", guestNight: "2.50", ageFrom: "16" });
  expect(termsPricing(draft, "EUR", null)?.taxes).toEqual([tax]);
  const wrong = { ...NEW_GUEST_TAX, name: "City tax", ageFrom: "19", nightsMax: "0" };
  expect(termsFaults({ ...draft, taxes: [wrong] }, "EUR")).toEqual([
    "taxes.0.guestNight",
    "taxes.0.ageFrom",
    "taxes.0.nightsMax",
  ]);
});
