// @vitest-environment happy-dom
import { beforeEach, expect, test } from "vitest";
import { endOf } from "./CheckoutPage";
import { isEmail, keepContact, keptContact } from "./contact";
import { extensionSeconds } from "./useHold";

beforeEach(() => localStorage.clear());

test("time that is up is said, unless the bank may still make a booking of it", () => {
  expect(endOf({ state: "held" }, false, false, undefined)).toBeNull();
  expect(endOf({ state: "held" }, true, false, undefined)).toBe("expired");
  expect(endOf({ state: "expired" }, true, true, "waiting")).toBeNull();
  expect(endOf({ state: "expired" }, true, false, "expired")).toBe("expired");
  expect(endOf({ state: "held" }, false, false, "declined")).toBeNull();
  expect(endOf({ state: "released" }, false, false, undefined)).toBe("released");
  expect(endOf({ state: "expired" }, true, false, "returned")).toBe("returned");
});

test("a hold is extended to its cap, never beyond it, and not for a few seconds", () => {
  const hold = { expires_at: "2026-11-21T12:07:00Z", extends_until: "2026-11-21T12:14:00Z" };
  expect(extensionSeconds(hold, Date.parse("2026-11-21T12:05:30.500Z"))).toBe(508);
  expect(extensionSeconds({ ...hold, extends_until: "2026-11-21T12:07:05Z" }, 0)).toBe(0);
  expect(extensionSeconds(hold, Date.parse("2026-11-21T13:00:00Z"))).toBe(0);
});

test("an address is one that the server would take", () => {
  expect(["a@b", "asha@example.org", "ü@example.org"].every(isEmail)).toBe(true);
  expect(["", "asha", "a b@c", "a@b@c", "@b", "a@", `${"a".repeat(260)}@b`].some(isEmail)).toBe(
    false,
  );
});

test("who asks is remembered, who does not is forgotten", () => {
  keepContact({ email: "a@b", name: "Asha", remember: true });
  expect(keptContact()).toEqual({ email: "a@b", name: "Asha", remember: true });
  keepContact({ email: "a@b", name: "Asha", remember: false });
  expect(keptContact()).toEqual({ email: "", name: "", remember: false });
  localStorage.setItem("bespeak.contact", '["x"]');
  expect(keptContact().email).toBe("");
});
