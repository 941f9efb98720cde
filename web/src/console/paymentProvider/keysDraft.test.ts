import { expect, test } from "vitest";
import { Problem } from "~/api/client";
import {
  draftOf,
  fieldOf,
  isOfTest,
  keysOf,
  NOTHING_TYPED,
  renewalOf,
  versionNow,
  wrongOf,
} from "./keysDraft";
import { ACCOUNT, NOBODY, SET } from "./testing/views";

test("what was not typed is not sent, and what was pasted is sent without its blanks", () => {
  const draft = { ...NOTHING_TYPED, secret_key: " sk_test_1\n" };
  expect(keysOf(draft, SET)).toEqual({ secret_key: "sk_test_1" });
  expect(keysOf({ ...draft, webhook_secret: "whsec_1 " }, NOBODY)).toEqual({
    secret_key: "sk_test_1",
    webhook_secret: "whsec_1",
  });
});

test("the version is that of where buyers pay, or of the account that is named", () => {
  const earlier = [{ ...ACCOUNT, name: "stripe-1", version: 5 }];
  expect([versionNow(NOBODY), versionNow(SET)]).toEqual([0, 7]);
  expect(versionNow({ ...SET, earlier }, "stripe-1")).toBe(5);
  expect(versionNow(SET, "stripe-1")).toBe(0);
});

test("a signing secret alone says of which account it is", () => {
  const draft = { ...NOTHING_TYPED, webhook_secret: "whsec_1" };
  expect(keysOf(draft, SET)).toEqual({ webhook_secret: "whsec_1", name: "stripe-3" });
  expect(keysOf(draft, NOBODY)).toEqual({ webhook_secret: "whsec_1" });
});

test("a publishable key is sent where it is another, and taken away where it was emptied", () => {
  expect(keysOf({ ...NOTHING_TYPED, publishable_key: " pk_test_1\n" }, SET)).toEqual({
    publishable_key: "pk_test_1",
    name: "stripe-3",
  });
  const account = { ...ACCOUNT, publishable_key: "pk_test_1" };
  const view = { ...SET, account };
  const draft = draftOf(account);
  expect(draft).toEqual({ ...NOTHING_TYPED, publishable_key: "pk_test_1" });
  expect(keysOf({ ...draft, secret_key: "sk_live_1" }, view)).toEqual({ secret_key: "sk_live_1" });
  expect(keysOf({ ...draft, publishable_key: " " }, view)).toEqual({
    publishable_key: "",
    name: "stripe-3",
  });
  expect(draftOf(null)).toEqual(NOTHING_TYPED);
});

test("an earlier account is named with its new key", () => {
  const draft = { ...NOTHING_TYPED, secret_key: " rk_test_2 " };
  expect(renewalOf(draft, ACCOUNT)).toEqual({ name: "stripe-3", secret_key: "rk_test_2" });
  expect(renewalOf({ ...draft, webhook_secret: "whsec_2" }, ACCOUNT)).toEqual({
    name: "stripe-3",
    secret_key: "rk_test_2",
    webhook_secret: "whsec_2",
  });
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
  expect(fieldOf("publishable_key")).toBe("publishable_key");
  expect(fieldOf("name")).toBeNull();
  expect(
    wrongOf(new Problem(422, { code: "payment_provider_invalid", field: "webhook_secret" })),
  ).toBe("webhook_secret");
  expect(wrongOf(new Error("lost"))).toBeNull();
  expect(fieldOf(undefined)).toBeNull();
});
