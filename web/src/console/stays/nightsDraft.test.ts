// Many nights at once: what each will cost, what is refused before it is sent, and what is counted.
import { describe, expect, it } from "vitest";
import type { Listing } from "~/api/schema";
import {
  NO_CHANGE,
  type NightsDraft,
  nightsFaults,
  plannedFaults,
  plannedNights,
} from "./nightsDraft";

const TODAY = "2030-03-01";
const LISTING = {
  id: "res_1",
  name: "Double room",
  price: { amount: 8000, currency: "EUR" },
  plan: {
    type: "nights",
    count: 3,
    rules: [{ days: ["fri", "sat"], price: 9995 }],
  },
} as unknown as Listing;
const DRAFT: NightsDraft = {
  ...NO_CHANGE,
  listings: ["res_1"],
  from: "2030-03-07", // a Thursday
  last: "2030-03-08",
  days: [],
};
const faults = (part: Partial<NightsDraft>, chosen: readonly Listing[] = [LISTING]) =>
  nightsFaults({ ...DRAFT, ...part }, chosen, TODAY);
const prices = (part: Partial<NightsDraft>) =>
  plannedNights({ ...DRAFT, ...part }, [LISTING], TODAY).flatMap(({ after }) =>
    [...after.values()].map(({ price }) => price),
  );

describe("many nights at once", () => {
  it("costs a new price, or more or less than each night does now", () => {
    expect(prices({ priceWay: "to", price: "120" })).toEqual([12_000, 12_000]);
    expect(prices({ priceWay: "more_share", price: "10" })).toEqual([8800, 10_995]);
    expect(prices({ priceWay: "less_share", price: "12,5" })).toEqual([7000, 8746]);
    expect(prices({ priceWay: "more_amount", price: "5.50" })).toEqual([8550, 10_545]);
    expect(prices({ priceWay: "less_amount", price: "90" })).toEqual([0, 995]);
  });

  it("counts the nights that are to be otherwise, of the days that are meant", () => {
    const changed = (part: Partial<NightsDraft>) =>
      plannedNights({ ...DRAFT, ...part }, [LISTING], TODAY).map((one) => one.changed);
    expect(changed({ priceWay: "to", price: "80" })).toEqual([["2030-03-08"]]);
    expect(changed({ minNights: "2", days: ["thu"] })).toEqual([["2030-03-07"]]);
    expect(changed({ closed: "no" })).toEqual([[]]);
    expect(changed({ action: "usual" })).toEqual([[]]);
  });

  it("says what is wrong before anything is sent", () => {
    expect(faults({})).toEqual(["says"]);
    expect(faults({ closed: "yes" }, [])).toEqual(["listings"]);
    expect(faults({ closed: "yes", from: "2030-02-28" })).toEqual(["from"]);
    expect(faults({ closed: "yes", last: "2030-03-06" })).toEqual(["last"]);
    expect(faults({ closed: "yes", last: "2033-03-06" })).toEqual(["last"]);
    expect(faults({ priceWay: "to", price: "much" })).toEqual(["price"]);
    expect(faults({ priceWay: "more_share", price: "101" })).toEqual(["price"]);
    expect(faults({ minNights: "0", maxThrough: "367" })).toEqual(["minNights", "maxThrough"]);
    expect(faults({ action: "usual" })).toEqual([]);
  });

  it("takes one amount for listings of one currency only, and shares for all", () => {
    const other = { ...LISTING, id: "res_2", price: { amount: 9000, currency: "CHF" } };
    expect(faults({ priceWay: "to", price: "120" }, [LISTING, other])).toEqual(["currencies"]);
    expect(faults({ priceWay: "more_share", price: "10" }, [LISTING, other])).toEqual([]);
  });

  it("refuses nights that nobody could book, and more rules than a plan takes", () => {
    const planned = plannedNights({ ...DRAFT, minNights: "5", maxThrough: "3" }, [LISTING], TODAY);
    expect(plannedFaults(planned)).toEqual(["lengths"]);
    const rules = Array.from({ length: 3000 }, () => ({ days: ["mon" as const], price: 1 }));
    const full = { ...LISTING, plan: { type: "nights", count: 1, rules } } as unknown as Listing;
    expect(plannedFaults(plannedNights({ ...DRAFT, closed: "yes" }, [full], TODAY))).toEqual([
      "rules",
    ]);
  });
});
