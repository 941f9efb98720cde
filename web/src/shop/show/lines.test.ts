import { expect, test } from "vitest";
import { bestLine, countOf, linesOf, NOTHING, offeredChoices, selectionOf } from "./lines";

const DETAIL = {
  units: [{ unit: "F7", section: "Stalls", row: "F", seat: "7", category: "standard", price: 900 }],
  pools: [
    { unit: "floor", quantity: 3, price: 500 },
    { unit: "bar", quantity: 0, price: 100 },
  ],
};

test("what the map says is chosen becomes the lines of a hold", () => {
  const selection = selectionOf(DETAIL);
  expect(countOf(selection)).toBe(4);
  expect(linesOf("res_1", selection, "")).toEqual([
    { resource_id: "res_1", unit: "F7", quantity: null },
    { resource_id: "res_1", unit: "floor", quantity: 3 },
  ]);
});

test("a promo code goes on every line", () => {
  const lines = linesOf("res_1", selectionOf(DETAIL), "SPRING");
  expect(lines.map((line) => line.code)).toEqual(["SPRING", "SPRING"]);
});

test("a detail that makes no sense is nothing chosen", () => {
  for (const detail of [null, undefined, 7, "F7", [], { units: "F7" }, { units: [{}] }]) {
    expect(selectionOf(detail)).toEqual(NOTHING);
  }
});

test("together calls: not split", () => {
  const wish = { quantity: 4, category: "premium", accessible: true, together: true };
  expect(bestLine("res_1", wish, "").best).toEqual({
    quantity: 4,
    category: "premium",
    accessible: true,
    split: false,
    strategy: "best",
  });
  expect(bestLine("res_1", { ...wish, together: false }, "").best?.split).toBe(true);
});

test("an offer takes the place of the refused lines only", () => {
  const lines = [{ unit: "F7" }, { unit: "F8" }, { unit: "C1" }];
  const data = {
    alternatives: [
      {
        instead_of: [0, 1],
        offers: [
          [{ unit: "F9" }, { unit: "F10" }],
          [{ unit: "G7" }, { unit: "G8" }],
        ],
      },
    ],
  };
  expect(offeredChoices(data, lines)).toEqual([
    { units: ["C1", "F9", "F10"], instead: ["F9", "F10"] },
    { units: ["C1", "G7", "G8"], instead: ["G7", "G8"] },
  ]);
});

test("offers that cannot be chosen on the map are left out", () => {
  const data = { alternatives: [{ instead_of: [0], offers: [[], [{ unit: null }], "x"] }, null] };
  expect(offeredChoices(data, [{ unit: "F7" }])).toEqual([]);
  expect(offeredChoices({}, [])).toEqual([]);
});
