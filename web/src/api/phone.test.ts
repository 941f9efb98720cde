import { expect, test } from "vitest";
import { phoneHref, phoneOf } from "./phone";

test("a number is one that the server would take", () => {
  const good = ["+49 170 1234567", "(030) 12-34", "0351/987.65.43", "110", "1".repeat(40)];
  for (const one of good) expect(phoneOf(one)).toBe(one);
  for (const one of ["12", "+", "ask Asha", "0170 12 34a", "+-1234", "12 34-", "1".repeat(41)]) {
    expect(phoneOf(one)).toBeNull();
  }
});

test("what is typed otherwise is the same number", () => {
  expect(phoneOf("  ")).toBe("");
  expect(phoneOf(" 0170\u00A0 12\u201334 ")).toBe("0170 12-34");
  expect(phoneOf("\u202A+49 170 1234\u202C")).toBe("+49 170 1234");
  expect(phoneOf("٠١٧٠ ١٢٣٤٥٦٧٨٩")).toBe("0170 123456789");
  expect(phoneOf("۰۱۷۰ ۹۸۷")).toBe("0170 987");
});

test("a link calls it", () => {
  expect(phoneHref("+49 (0)170 12-34")).toBe("tel:+491701234");
  expect(phoneHref("(030) 12 34")).toBe("tel:0301234");
});
