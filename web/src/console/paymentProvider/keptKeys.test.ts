// @vitest-environment happy-dom
import { beforeEach, expect, test } from "vitest";
import { dropKeys, keepKeys, keptKeys } from "./keptKeys";
import { type KeysDraft, NOTHING_TYPED } from "./keysDraft";
import { ACCOUNT, NOBODY, SET } from "./testing/views";

const TYPED: KeysDraft = {
  secret_key: "sk_test_hunter2",
  webhook_secret: "whsec_hunter2",
  publishable_key: "pk_test_1",
};
const OVER = { view: SET, by: "opr_1" };
const KEPT = "bespeak.console.typed.payment-provider";

const keep = (draft: KeysDraft, hadSecrets = false) => keepKeys({ draft, hadSecrets }, OVER);
const stored = () => JSON.stringify({ ...sessionStorage, ...localStorage });

beforeEach(() => sessionStorage.clear());

test("the publishable key is there again, and secrets were kept nowhere", () => {
  expect(keptKeys(OVER)).toBeNull();
  keep(TYPED);
  const draft = { ...NOTHING_TYPED, publishable_key: "pk_test_1" };
  expect(keptKeys(OVER)).toEqual({ draft, hadSecrets: true });
  expect(stored()).not.toContain("hunter2");
  keep(draft);
  expect(keptKeys(OVER)?.hadSecrets).toBe(false);
  keep(draft, true);
  expect(keptKeys(OVER)?.hadSecrets).toBe(true);
  dropKeys();
  expect(keptKeys(OVER)).toBeNull();
});

test.each(["sk_test_hunter2", "whsec_hunter2", "pk_test_1 sk_test_hunter2", "hunter2"])(
  "a secret in the wrong field is kept nowhere either: %s",
  (pasted) => {
    keep({ ...NOTHING_TYPED, publishable_key: pasted });
    expect(stored()).not.toContain("hunter2");
    expect(keptKeys(OVER)).toEqual({ draft: NOTHING_TYPED, hadSecrets: true });
  },
);

test("a form that says what is set again keeps nothing", () => {
  keep(TYPED);
  keep(NOTHING_TYPED);
  expect(sessionStorage.getItem(KEPT)).toBeNull();
});

test("what was typed over another account, or by somebody else, is none of this one", () => {
  keep(TYPED);
  const view = { ...SET, account: { ...ACCOUNT, version: 8 } };
  expect(keptKeys({ ...OVER, view })).toBeNull();
  expect(keptKeys({ ...OVER, view: NOBODY })).toBeNull();
  expect(keptKeys({ ...OVER, by: "opr_2" })).toBeNull();
  expect(keptKeys(OVER)).toBeNull();
});

test.each([{}, { publishable_key: 1 }])("what cannot be read is nothing: %j", (found) => {
  sessionStorage.setItem(KEPT, JSON.stringify({ ...found, typed_by: "opr_1", typed_over: 7 }));
  expect(keptKeys(OVER)).toBeNull();
});
