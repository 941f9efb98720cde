import { expect, test } from "vitest";
import { amountOf, faultsOf, NOTHING_MORE, othersOf, wishOf } from "./moreWishes";

test.each([
  ["20", "EUR", 2000],
  ["20,5", "EUR", 2050],
  [" 20.50 ", "EUR", 2050],
  ["0", "EUR", 0],
  ["٢٠٫٥", "EGP", 2050],
  ["2000", "JPY", 2000],
  ["1.234", "KWD", 1234],
])("%s of %s is %i", (typed, currency, wanted) => {
  expect(amountOf(typed, currency)).toBe(wanted);
});

test.each([
  ["", "EUR"],
  ["-1", "EUR"],
  ["1.234", "EUR"],
  ["1.5", "JPY"],
  ["1,234.50", "EUR"],
  ["12345678901", "EUR"],
  ["1234567890123", "JPY"],
  ["cheap", "EUR"],
  ["1e3", "EUR"],
])("%j of %s is no amount", (typed, currency) => {
  expect(amountOf(typed, currency)).toBeNull();
});

test("other dates are asked about: the nearest nineteen that come after, then before", () => {
  const ids = Array.from({ length: 60 }, (_, at) => `res_${at}`);
  expect(othersOf(["res_1"], "res_1")).toEqual([]);
  expect(othersOf(["res_1", "res_2", "res_3"], "res_2")).toEqual(["res_3", "res_1"]);
  expect(othersOf(ids, "res_3")).toEqual(ids.slice(4, 23));
  const last = ["res_58", "res_59", ...ids.slice(40, 57).toReversed()];
  expect(othersOf(ids, "res_57")).toEqual(last);
  // Of a list that does not name it, as it may be a moment after a change.
  expect(othersOf(["res_1", "res_2"], "res_9")).toEqual(["res_1", "res_2"]);
});

test("what was not said is not sent", () => {
  const own = [{ resource_id: "res_1" }];
  expect(wishOf(NOTHING_MORE, own, "EUR")).toEqual({ wish: { places: own } });
  // What cannot be a time is told of, and must not stop the page.
  expect(wishOf({ ...NOTHING_MORE, until: "275761-01-01T10:00" }, own, "EUR").until).toBe(
    undefined,
  );
  const more = { others: ["res_3"], price: "12", until: "2030-05-01T18:00Z" };
  expect(wishOf(more, own, "EUR")).toEqual({
    wish: { places: [{ resource_id: "res_1" }, { resource_id: "res_3" }], price_max: 1200 },
    until: "2030-05-01T18:00:00.000Z",
  });
});

test("other dates have the range of the first place, and no place comes twice", () => {
  const range = { from: "A", to: "C" };
  const own = [{ resource_id: "res_1", ...range }];
  const more = { ...NOTHING_MORE, others: ["res_2"] };
  expect(wishOf(more, [...own, ...own], "EUR").wish.places).toEqual([
    ...own,
    { resource_id: "res_2", ...range },
  ]);
});

test("what cannot be is told before it is sent", () => {
  const now = Date.parse("2030-05-01T18:00Z");
  const at = (price: string, until: string) => faultsOf({ others: [], price, until }, "EUR", now);
  expect(at("", "")).toEqual([]);
  expect(at("12", "2030-05-01T18:01Z")).toEqual([]);
  expect(at("a lot", "2030-05-01T18:00Z")).toEqual(["price", "until"]);
  expect(at("", "never")).toEqual(["until"]);
  expect(at("", "275761-01-01T10:00")).toEqual(["until"]);
});
