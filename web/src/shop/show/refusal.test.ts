import { describe, expect, test } from "vitest";
import { Problem } from "~/api/client";
import ar from "~/i18n/locales/ar/shop.json";
import de from "~/i18n/locales/de/shop.json";
import en from "~/i18n/locales/en/shop.json";
import { refusalOf } from "./refusal";

const LINES = [{ unit: "F7" }, { unit: "F8" }];
const problem = (code: string, data: object = {}) =>
  new Problem(409, { code, retryable: false, ...data });

test("who was faster is named, and what could be had instead", () => {
  const refusal = refusalOf(
    problem("unit_taken", {
      conflicts: [{ unit: "F8", state: "held" }],
      alternatives: [{ instead_of: [1], offers: [[{ unit: "F6" }]] }],
    }),
    LINES,
  );
  expect(refusal).toMatchObject({ say: "faster_choices", units: ["F8"] });
  expect(refusal?.choices.map((choice) => choice.units)).toEqual([["F7", "F6"]]);
});

test("a conflict that is gone by now may be tried again", () => {
  expect(refusalOf(problem("unit_taken", { conflicts: [] }), LINES)).toMatchObject({
    say: "again",
    mayRetry: true,
  });
});

test.each([
  ["sold_out", { available: 1 }, "few_left", 1],
  ["sold_out", { available: 0 }, "sold_out", 0],
  ["sold_out", { conflicts: [{ unit: "floor", available: 3 }] }, "few_left", 3],
  ["sold_out", { conflicts: [{ unit: "code:SPRING", available: 0 }] }, "code_used_up", null],
  ["orphan_seat", { units: [{ resource_id: "r", unit: "F6" }] }, "orphan_named", null],
  ["orphan_seat", { units: [] }, "orphan", null],
  ["owner_limit_reached", { limits: [{ owner_limit: 6, left: 0 }] }, "limit_of", 6],
  ["owner_limit_reached", {}, "limit", null],
  ["not_together", { available: 9 }, "not_together", null],
  ["resource_closed", {}, "resource_closed", null],
  ["unknown_code", {}, "unknown_code", null],
])("%s with %j is said as %s", (code, data, say, count) => {
  expect(refusalOf(problem(code, data), LINES)).toMatchObject({ say, count });
});

test("what is not about seats is not explained as if it were", () => {
  expect(refusalOf(problem("overloaded"), LINES)).toBeNull();
  expect(refusalOf(new TypeError("x"), LINES)).toBeNull();
});

describe.each(Object.entries({ en, de, ar }))("in %s", (_, words) => {
  test("there are words for each way to be refused", () => {
    const keys = Object.keys(words.refusal).map((key) =>
      key.replace(/_(zero|one|two|few|many|other)$/, ""),
    );
    const said =
      "faster faster_choices again sold_out few_left code_used_up orphan orphan_named limit " +
      "limit_of not_together resource_closed resource_not_open not_on_sale unknown_code " +
      "unknown_unit plan_changed";
    for (const key of said.split(" ")) expect(keys).toContain(key);
  });
});
