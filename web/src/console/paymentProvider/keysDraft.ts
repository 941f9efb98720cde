// The form of the keys: what was typed, and what is sent of it. It is in no storage of the browser.
import type { PaymentProviderView, SetPaymentProvider } from "~/api/schema";

export const WORDS = "payment_provider";
export const QUERY = ["payment-provider"];

export type KeysDraft = {
  /** Empty: the one that is kept stays. */
  readonly secret_key: string;
  /** Empty: the one that is kept stays, as long as the account does. */
  readonly webhook_secret: string;
};

export const NOTHING_TYPED: KeysDraft = { secret_key: "", webhook_secret: "" };

export function keysOf(draft: KeysDraft, view: PaymentProviderView): SetPaymentProvider {
  const key = draft.secret_key.trim();
  const secret = draft.webhook_secret.trim();
  return {
    ...(key !== "" && { secret_key: key }),
    ...(secret !== "" && { webhook_secret: secret }),
    // Of which account the signing secret is meant to be: somebody else may set another meanwhile.
    ...(key === "" && view.account !== null && { name: view.account.name }),
  };
}

/** Whether it is a key of the test mode, by which buyers book and nobody pays. */
export function isOfTest(draft: KeysDraft): boolean {
  return /^[rs]k_test_/.test(draft.secret_key.trim());
}

/** The field of the form that a refusal names, if it names one. */
export function fieldOf(told: unknown): keyof KeysDraft | null {
  return told === "secret_key" || told === "webhook_secret" ? told : null;
}
