// @vitest-environment happy-dom
import { beforeEach, expect, test } from "vitest";
import { secretOf, takeSecret } from "./bankAction";

const ORIGIN = "https://tickets.example";
const CHECKOUT = `${ORIGIN}/checkout/hold_1`;

beforeEach(() => globalThis.history.replaceState(null, "", "/"));

test.each([
  [`${CHECKOUT}#stripe_action=pi_1_secret_2`, "pi_1_secret_2"],
  [`${CHECKOUT}?payment_id=pay_1#stripe_action=pi_1_secret_%2B`, "pi_1_secret_+"],
  [CHECKOUT, null],
  [`${CHECKOUT}#other=pi_1`, null],
  [`${ORIGIN}/bookings#stripe_action=pi_1`, null],
  ["https://hooks.stripe.com/redirect/pi_1", null],
  ["https://evil.example/checkout/hold_1#stripe_action=pi_1", null],
  ["javascript:alert(1)#stripe_action=pi_1", null],
  ["", null],
])("%s asks %s", (url, secret) => {
  expect(secretOf(url, ORIGIN)).toBe(secret);
});

test("a secret leaves the address, and the rest of it stays", () => {
  const { location, history } = globalThis;
  const entries = history.length;
  history.replaceState({ at: 1 }, "", "/checkout/hold_1?payment_id=pay_1#stripe_action=pi_1");
  expect(takeSecret()).toBe(true);
  expect(location.pathname + location.search + location.hash).toBe(
    "/checkout/hold_1?payment_id=pay_1",
  );
  expect(history.state).toEqual({ at: 1 });
  expect(history.length).toBe(entries);
  expect(takeSecret()).toBe(false);
});
