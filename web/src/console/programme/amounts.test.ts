// Amounts as they are typed.
import { expect, test } from "vitest";
import { readAmount, readShare, readWhole, writeAmount, writeShare } from "./amounts";

test.each([
  ["12", "EUR", 1200],
  ["12.5", "EUR", 1250],
  ["12,50", "EUR", 1250],
  [" 0 ", "EUR", 0],
  ["1200", "JPY", 1200],
  ["1.250", "KWD", 1250],
  ["٢٥٫٥", "EUR", 2550],
])("%s %s is %i minor units", (text, currency, amount) => {
  expect(readAmount(text, currency)).toBe(amount);
});

test.each([
  ["", "EUR"],
  ["-3", "EUR"],
  // Twelve hundred, or one and a fifth?
  ["1.200", "EUR"],
  ["1,200.00", "EUR"],
  ["12.5", "JPY"],
  ["1e3", "EUR"],
  ["99999999999999", "EUR"],
])("%s %s is refused", (text, currency) => {
  expect(readAmount(text, currency)).toBeNull();
});

test("an amount is written as it is read", () => {
  for (const currency of ["EUR", "JPY", "KWD"])
    for (const amount of [0, 1, 99, 1250, 123_456])
      expect(readAmount(writeAmount(amount, currency), currency)).toBe(amount);
});

test("shares and whole numbers", () => {
  expect(readShare("7,7")).toBe(770);
  expect(readShare("101")).toBeNull();
  expect(writeShare(770)).toBe("7.7");
  expect(readWhole("10", 1, 10)).toBe(10);
  expect(readWhole("11", 1, 10)).toBeNull();
  expect(readWhole("2.5", 1, 10)).toBeNull();
});
