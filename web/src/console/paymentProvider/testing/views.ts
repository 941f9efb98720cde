// What the API says of the payment provider, for tests.
import type { PaymentProviderView, ProviderAccountView } from "~/api/schema";

/** Nobody has set one. */
export const NOBODY: PaymentProviderView = {
  decided_by: "nobody",
  providers: ["desk"],
  account: null,
  earlier: [],
  callback_url: "https://tickets.example/v1/payments/stripe/callback",
};
export const ACCOUNT: ProviderAccountView = {
  name: "stripe-3",
  version: 7,
  account_id: "acct_1Lantern",
  account_name: "Lantern Hall",
  mode: "test",
  key_ends_with: "7xQ2",
  publishable_key: null,
  must_set_keys: false,
  under_way: 0,
  changed_at: "2030-01-01T10:00:00Z",
  ended_at: null,
};
export const SET: PaymentProviderView = { ...NOBODY, decided_by: "console", account: ACCOUNT };
