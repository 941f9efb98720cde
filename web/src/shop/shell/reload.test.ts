// @vitest-environment happy-dom
import { beforeEach, expect, test } from "vitest";
import { mayReload } from "./reload";

beforeEach(() => sessionStorage.clear());

test("a page loads itself again once, not over and over", () => {
  expect(mayReload(1_000_000)).toBe(true);
  expect(mayReload(1_010_000)).toBe(false);
  expect(mayReload(1_040_000)).toBe(true);
});
