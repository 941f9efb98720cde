// @vitest-environment happy-dom
import { beforeEach, expect, test } from "vitest";
import { endOf } from "./CheckoutPage";
import { isEmail, keepContact, keptContact, saidBy } from "./contact";
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
  const asha = { email: "a@b", name: "Asha", phone: "110" };
  keepContact({ ...asha, remember: true });
  expect(keptContact()).toEqual({ ...asha, remember: true });
  keepContact({ ...asha, remember: false });
  expect(keptContact()).toEqual({ email: "", name: "", phone: "", remember: false });
  localStorage.setItem("bespeak.contact", '{"email":"a@b","name":"Asha"}');
  expect(keptContact()).toEqual({ ...asha, phone: "", remember: true });
  localStorage.setItem("bespeak.contact", '["x"]');
  expect(keptContact().email).toBe("");
});

test("who can be called needs no address, and a name alone is not enough", () => {
  const nothing = { email: "", name: "", phone: "", remember: false };
  const good = { isEmailWrong: false, isPhoneWrong: false };
  const nobody = { email: null, name: null, phone: null, locale: "en" };
  expect(saidBy(nothing, "en", true)).toEqual({ ...good, to: null });
  const called = { ...nothing, name: "Asha", phone: " 0170\u00A0123 " };
  expect(saidBy(called, "en", true)).toEqual({
    ...good,
    to: { ...nobody, name: "Asha", phone: "0170 123" },
  });
  // Where nobody asks for it, it is as if it were not there.
  expect(saidBy(called, "en", false)).toMatchObject({ isEmailWrong: true, to: { phone: null } });
  expect(saidBy({ ...nothing, name: "Asha" }, "en", true).isEmailWrong).toBe(true);
  expect(saidBy({ ...nothing, email: "asha" }, "en", true).isEmailWrong).toBe(true);
  const wrong = { ...nothing, email: "a@b", phone: "call me" };
  expect(saidBy(wrong, "en", true)).toMatchObject({ isEmailWrong: false, isPhoneWrong: true });
  expect(saidBy(wrong, "en", false)).toEqual({ ...good, to: { ...nobody, email: "a@b" } });
});
