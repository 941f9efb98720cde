// What the form of a listing sends, and what it leaves as it is.
import { describe, expect, it } from "vitest";
import type { Listing, NightRule } from "~/api/schema";
import {
  listingChange,
  listingDraft,
  listingFaults,
  newListing,
  newListingDraft,
} from "./listingDraft";
import { NEW_RULE, ruleDraft, ruleFaults, ruleOf } from "./rules";

const OTHER: NightRule = { from: "2027-01-01", to: "2027-01-08", count: 3, max_through: 9 };
const LISTING = {
  id: "res_1",
  name: "Double room",
  guests: 2,
  rooms: 8,
  beds: [{ kind: "double", count: 1 }],
  square_metres: null,
  amenities: ["wifi"],
  summary: "",
  description: "",
  price: { amount: 12_000, currency: "EUR" },
  payment: "required",
  pricing: { fees: [], taxes: [], codes: [], steps: [], cancellation: null, dates: [] },
  ref: null,
  translations: [{ language: "de", words: { "Double room": "Doppelzimmer", Other: "Anderes" } }],
  plan: {
    type: "nights",
    count: 8,
    overbooking: 1,
    cutoff_hours: 24,
    check_in_time: "14:00",
    window_days: 500,
    rules: [{ days: ["fri", "sat"], price: 15_000 }, OTHER],
  },
} as unknown as Listing;

describe("a listing that is there", () => {
  it("sends nothing when nothing was changed", () => {
    expect(listingFaults(listingDraft(LISTING))).toEqual([]);
    expect(listingChange(LISTING, listingDraft(LISTING))).toEqual({});
  });

  it("sends what was changed, and the plan with all that the form does not show", () => {
    const draft = { ...listingDraft(LISTING), count: "9", minNights: "2" };
    const { plan, ...rest } = listingChange(LISTING, draft);
    expect(rest).toEqual({});
    expect(plan).toMatchObject({ count: 9, min_nights: 2, overbooking: 1, cutoff_hours: 24 });
    expect(plan).toMatchObject({ window_days: 500, check_in_time: "14:00", max_nights: 366 });
    expect(plan?.rules).toEqual(LISTING.plan?.rules);
  });

  it("keeps words of other texts with a new name", () => {
    const draft = { ...listingDraft(LISTING), name: "Twin room", translated: {} };
    expect(listingChange(LISTING, draft)).toEqual({
      name: "Twin room",
      translations: [{ language: "de", words: { Other: "Anderes" } }],
    });
  });

  it("changes the price where it stands in the plan, too", () => {
    const priced = { ...LISTING, plan: { ...LISTING.plan, price: 11_000 } } as Listing;
    expect(listingDraft(priced).price).toBe("110.00");
    expect(listingChange(priced, listingDraft(priced))).toEqual({});
    const change = listingChange(priced, { ...listingDraft(priced), price: "99,50" });
    expect([change.price, change.plan?.price]).toEqual([9950, 9950]);
  });

  it("becomes rooms by name without what only a number of rooms has", () => {
    const draft = { ...listingDraft(LISTING), roomsAre: "named" as const, rooms: " 101 \n\n102" };
    const { plan } = listingChange(LISTING, draft);
    expect(plan).toMatchObject({ rooms: ["101", "102"], overbooking: 0 });
    expect(plan).not.toHaveProperty("count");
  });
});

describe("a new listing", () => {
  it("says what is missing", () => {
    expect(listingFaults(newListingDraft(""))).toEqual(["name", "currency", "price"]);
    const named = { ...newListingDraft("EUR"), name: "A", price: "1", roomsAre: "named" as const };
    expect(listingFaults({ ...named, rooms: "" })).toEqual(["rooms"]);
    expect(listingFaults({ ...named, rooms: "one\none" })).toEqual(["rooms"]);
    expect(listingFaults({ ...named, rooms: "one\ntwo" })).toEqual([]);
  });

  it("is sent with its currency; what is free is paid by nobody", () => {
    const draft = { ...newListingDraft("eur"), name: "Flat", price: "0", maxNights: "28" };
    const made = newListing("prp_1", draft);
    expect(made).toMatchObject({ property: "prp_1", currency: "EUR", price: 0, payment: "none" });
    expect(made.plan).toMatchObject({ type: "nights", count: 1, min_nights: 1, max_nights: 28 });
  });
});

describe("a rule", () => {
  it("says its last night as people do", () => {
    const draft = ruleDraft({ from: "2026-12-24", to: "2027-01-01", price: 500 }, "JPY");
    expect([draft.last, draft.price]).toEqual(["2026-12-31", "500"]);
    expect(ruleOf(draft, "JPY")).toEqual({ from: "2026-12-24", to: "2027-01-01", price: 500 });
  });

  it("keeps what the form does not show", () => {
    expect(ruleOf(ruleDraft(OTHER, "EUR"), "EUR")).toEqual(OTHER);
    expect(ruleFaults(ruleDraft(OTHER, "EUR"), "EUR")).toEqual([]);
  });

  it("must say something, in the right order", () => {
    expect(ruleFaults(NEW_RULE, "EUR")).toEqual(["says"]);
    const shut = { ...NEW_RULE, isClosed: true, from: "2027-01-02", last: "2027-01-01" };
    expect(ruleFaults(shut, "EUR")).toEqual(["last"]);
    expect(ruleFaults({ ...NEW_RULE, minNights: "0", price: "x" }, "EUR")).toEqual([
      "price",
      "minNights",
    ]);
  });
});
