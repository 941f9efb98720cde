// Rates, discounts and guests in the form of a listing: what is sent, what stays, and what is wrong.
import { describe, expect, it } from "vitest";
import type { Cancellation, Listing } from "~/api/schema";
import { listingChange, listingDraft, listingFaults } from "./listingDraft";
import {
  discountFaults,
  guestsFaults,
  NEW_DISCOUNT,
  NEW_RATE,
  NO_GUESTS,
  rateFaults,
  readSigned,
  unrefundableRates,
  withoutRates,
  withRates,
} from "./rates";
import { readShare } from "../programme/amounts";

const LISTING = {
  id: "res_1",
  name: "Double room",
  guests: 3,
  rooms: 8,
  beds: [],
  square_metres: null,
  amenities: [],
  summary: "",
  description: "",
  price: { amount: 12_000, currency: "EUR" },
  payment: "required",
  pricing: {
    cancellation: {
      free_until_seconds: 86_400,
      overrides: [{ rates: ["Saver"], refundable: false }],
    },
  },
  ref: null,
  translations: [],
  plan: {
    type: "nights",
    count: 8,
    guests_included: 2,
    guest_price: 2500,
    children: [{ under: 6, basis_points: 0 }],
    rates: [
      { name: "Saver", basis_points: -1000, max_days_ahead: 0 },
      { name: "Breakfast", meals: "breakfast", amount: -250, guest_amount: 1450 },
    ],
    discounts: [{ name: "A week", basis_points: 1000, min_nights: 7 }],
  },
} as unknown as Listing;

describe("a listing with rates", () => {
  it("has them in the form, and sends nothing when nothing was changed", () => {
    const draft = listingDraft(LISTING);
    expect(listingFaults(draft)).toEqual([]);
    expect(draft.terms.refund.is).toBe("until");
    expect(draft.rates[0]).toMatchObject({ share: "-10", isRefundable: false, maxAhead: "0" });
    expect(draft.rates[1]).toMatchObject({ amount: "-2.50", guestAmount: "14.50" });
    expect(draft.guestPrices).toMatchObject({ included: "2", price: "25.00" });
    expect(listingChange(LISTING, draft)).toEqual({});
  });

  it("sends its terms with the new name of a rate, and none of one that is gone", () => {
    const draft = listingDraft(LISTING);
    const [saver, breakfast] = draft.rates;
    if (saver === undefined || breakfast === undefined) throw new Error("there are two");
    const renamed = listingChange(LISTING, { ...draft, rates: [{ ...saver, name: "Cheap" }] });
    expect(renamed.plan?.rates).toMatchObject([{ name: "Cheap", basis_points: -1000 }]);
    expect(unrefundableRates(renamed.pricing?.cancellation)).toEqual(["Cheap"]);
    const gone = listingChange(LISTING, { ...draft, rates: [breakfast] });
    expect(gone.pricing?.cancellation).toMatchObject({ free_until_seconds: 86_400 });
    expect(unrefundableRates(gone.pricing?.cancellation)).toEqual([]);
  });

  it("has no guests of its own price when the price is taken away", () => {
    const draft = { ...listingDraft(LISTING), guestPrices: NO_GUESTS };
    const { plan } = listingChange(LISTING, draft);
    expect(plan).toMatchObject({ guests_included: null, guest_price: 0, children: [] });
  });
});

describe("terms of rates", () => {
  const others = [
    { units: ["101"], refundable: false },
    { rates: ["Odd"], tiers: [] },
  ];
  const policy: Cancellation = { free_until_seconds: 0, overrides: others };

  it("stand beside those of other things, which stay", () => {
    const both = withRates(policy, ["Saver", "Cheap"]);
    expect(unrefundableRates(both)).toEqual(["Saver", "Cheap"]);
    expect(withoutRates(both)?.overrides).toEqual(others);
    expect(withRates(both, [])?.overrides).toEqual(others);
    expect(withRates(null, ["Saver"])).toBeNull();
  });
});

describe("what cannot be read", () => {
  it("is said at its field", () => {
    const rate = { ...NEW_RATE, name: "A", share: "x", amount: "-", guestAmount: "-1" };
    expect(rateFaults([rate, { ...NEW_RATE, name: "A" }], "EUR", true)).toEqual([
      "rates.0.share",
      "rates.0.amount",
      "rates.0.guestAmount",
      "rates.1.name",
    ]);
    const limits = { minNights: "8", maxNights: "7", minAhead: "1101", maxAhead: "" };
    expect(rateFaults([{ ...NEW_RATE, ...limits, name: "A" }], "EUR", true)).toEqual([
      "rates.0.minAhead",
      "rates.0.maxNights",
    ]);
    const unsaid = { ...NEW_RATE, name: "A", isRefundable: false };
    expect(rateFaults([unsaid], "EUR", false)).toEqual(["rates.0.refund"]);
    expect(discountFaults([NEW_DISCOUNT])).toEqual([
      "discounts.0.name",
      "discounts.0.share",
      "discounts.0.limits",
    ]);
  });

  it("may be about guests and their ages", () => {
    const children = [
      { under: "6", share: "50" },
      { under: "6", share: "40" },
    ];
    expect(guestsFaults({ included: "4", price: "25", children }, "3", "EUR")).toEqual([
      "guestPrices.included",
      "guestPrices.children.1.under",
      "guestPrices.children.1.share",
    ]);
    expect(guestsFaults({ ...NO_GUESTS, included: "2" }, "3", "EUR")).toEqual([
      "guestPrices.price",
    ]);
  });

  it("may have a minus where it is a change", () => {
    expect(
      ["10", "+10", "-10", "−7,5", "--1", "x"].map((one) => readSigned(one, readShare)),
    ).toEqual([1000, 1000, -1000, -750, null, null]);
  });
});
