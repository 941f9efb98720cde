import { expect, test } from "vitest";
import type { PaymentProviderView } from "~/api/schema";
import { fieldOf, isOfTest, keysOf, NOTHING_TYPED } from "./keysDraft";

const NOBODY: PaymentProviderView = {
  decided_by: "nobody",
  providers: ["desk"],
  account: null,
  earlier: [],
  callback_url: "https://tickets.example/v1/payments/stripe/callback",
};
const SET: PaymentProviderView = {
  ...NOBODY,
  decided_by: "console",
  account: {
    name: "stripe-3",
    account_id: "acct_1Lantern",
    account_name: "Lantern Hall",
    mode: "test",
    key_ends_with: "7xQ2",
    must_set_keys: false,
    under_way: 0,
    changed_at: "2030-01-01T10:00:00Z",
    ended_at: null,
  },
};

test("what was not typed is not sent, and what was pasted is sent without its blanks", () => {
  const draft = { secret_key: " sk_test_1\n", webhook_secret: "" };
  expect(keysOf(draft, SET)).toEqual({ secret_key: "sk_test_1" });
  expect(keysOf({ ...draft, webhook_secret: "whsec_1 " }, NOBODY)).toEqual({
    secret_key: "sk_test_1",
    webhook_secret: "whsec_1",
  });
});

test("a signing secret alone says of which account it is", () => {
  const draft = { ...NOTHING_TYPED, webhook_secret: "whsec_1" };
  expect(keysOf(draft, SET)).toEqual({ webhook_secret: "whsec_1", name: "stripe-3" });
  expect(keysOf(draft, NOBODY)).toEqual({ webhook_secret: "whsec_1" });
});

test("a key of the test mode is known by how it begins", () => {
  const typed = (key: string) => isOfTest({ ...NOTHING_TYPED, secret_key: key });
  expect([" sk_test_1", "rk_test_1", "sk_live_1", "rk_live_test_1", ""].map(typed)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

test("only the form's own fields are named", () => {
  expect(fieldOf("secret_key")).toBe("secret_key");
  expect(fieldOf("name")).toBeNull();
  expect(fieldOf(undefined)).toBeNull();
});
