// How a sale stands, from what the API answers, in the words of each language.
import { expect, test } from "vitest";
import { offerOf } from "./api";
import { Words } from "./words";

const item = { id: "res_1", state: "on_sale", units_free: 3, price_from: 1250, currency: "EUR" };

test("a price may be a number with a currency, or an amount", () => {
  const wanted = { amount: 1250, currency: "EUR" };
  expect(offerOf(item).price).toEqual(wanted);
  expect(offerOf({ ...item, price_from: wanted }).price).toEqual(wanted);
  expect(offerOf({ ...item, price_from: null }).price).toBeNull();
});

test("what is not understood is not sold", () => {
  expect(offerOf({ ...item, state: "by_lottery" }).state).toBe("closed");
  expect(offerOf({}).state).toBe("closed");
});

test("few that are left are said, many are not", () => {
  const words = new Words("en");
  expect(words.standing(offerOf(item))).toBe("3 left");
  expect(words.standing(offerOf({ ...item, units_free: 300 }))).toBe("");
  expect(words.standing(offerOf({ ...item, state: "sold_out" }))).toBe("Sold out");
});

test.each([
  ["en", "from €12.50"],
  ["de-AT", "ab € 12,50"],
  ["ar", "ابتداءً من"],
])("a price in %s", (tag, wanted) => {
  expect(new Words(tag).price(offerOf(item)).replaceAll("\u00A0", " ")).toContain(wanted);
});

test("a time is by the clocks of the place", () => {
  expect(new Words("en-GB").when("2026-12-31T20:00:00Z", "Asia/Kolkata")).toContain(
    "1 January 2027",
  );
});
