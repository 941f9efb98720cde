// @vitest-environment happy-dom
import { afterEach, expect, test } from "vitest";
import { takeCode } from "./code";

afterEach(() => history.replaceState(null, "", "/"));

test("a mail's code leaves the address", () => {
  history.replaceState(null, "", "/find-bookings#code=01234567");
  expect(takeCode()).toBe("01234567");
  expect(globalThis.location.href).not.toContain("01234567");
  expect(takeCode()).toBe("");
});

test("what is no code is none", () => {
  for (const hash of ["", "#code=", "#code=1", "#code=<script>", "#code=https://evil.example"]) {
    history.replaceState(null, "", `/find-bookings${hash}`);
    expect(takeCode()).toBe("");
  }
});
