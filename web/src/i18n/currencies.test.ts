import { expect, test } from "vitest";
import { wholeMoney } from "~/console/parts/sums";
import { Words } from "~/seatmap/words";
import { money } from "./format";

test.each([
  [1250, "EUR", "€12.50"],
  [1250, "JPY", "¥1,250"],
  [1250, "KWD", "KWD 1.250"],
  [1250, "RSD", "RSD 12.50"],
  [1250, "IQD", "IQD 1.250"],
])("%i minor units of %s are %s", (amount, currency, wanted) => {
  expect(money(amount, currency).replaceAll("\u00A0", " ")).toBe(wanted);
  expect(new Words("en").money(amount, currency).replaceAll("\u00A0", " ")).toBe(wanted);
});

test("large sums are in whole units of their currency", () => {
  expect(wholeMoney(1_234_567, "EUR")).toBe("€12,346");
  expect(wholeMoney(1_234_567, "JPY")).toBe("¥1,234,567");
  expect(wholeMoney(9_234_567, "KWD").replaceAll("\u00A0", " ")).toBe("KWD 9,235");
});
