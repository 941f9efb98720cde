// The form of the keys: what was typed, and what is sent of it. The secrets are in no storage of the browser.
import { Problem } from "~/api/client";
import type { PaymentProviderView, ProviderAccountView, SetPaymentProvider } from "~/api/schema";
import { api } from "../session";

export const WORDS = "payment_provider";
export const QUERY = ["payment-provider"];
export const readProvider = () => api.GET("/v1/payment-provider");

export type KeysDraft = {
  /** Empty: the one that is kept stays. */
  readonly secret_key: string;
  /** Empty: the one that is kept stays, as long as the account does. */
  readonly webhook_secret: string;
  /** No secret: the one that is set stands in the form. Emptied, it is taken away. */
  readonly publishable_key: string;
};

export const NOTHING_TYPED: KeysDraft = { secret_key: "", webhook_secret: "", publishable_key: "" };

/** The form as it is opened: secrets are never told, so their fields are empty. */
export function draftOf(account: ProviderAccountView | null): KeysDraft {
  return { ...NOTHING_TYPED, publishable_key: account?.publishable_key ?? "" };
}

export function keysOf(draft: KeysDraft, view: PaymentProviderView): SetPaymentProvider {
  const key = draft.secret_key.trim();
  const secret = draft.webhook_secret.trim();
  const publishable = draft.publishable_key.trim();
  const isOther = publishable !== (view.account?.publishable_key ?? "");
  return {
    ...(key !== "" && { secret_key: key }),
    ...(secret !== "" && { webhook_secret: secret }),
    // What stands there of the account before may be none of another account's.
    ...(isOther && { publishable_key: publishable }),
    // Of which account the others are meant to be: somebody else may set another meanwhile.
    ...(key === "" && view.account !== null && { name: view.account.name }),
  };
}

/** The version of where buyers pay, or of an earlier account by its name; 0: there is none. */
export function versionNow({ account, earlier }: PaymentProviderView, name?: string): number {
  const found = name === undefined ? account : earlier.find((one) => one.name === name);
  return found?.version ?? 0;
}

/** What is sent to give an earlier account another key; buyers pay where they did. */
export function renewalOf(draft: KeysDraft, account: ProviderAccountView): SetPaymentProvider {
  const secret = draft.webhook_secret.trim();
  return {
    name: account.name,
    secret_key: draft.secret_key.trim(),
    ...(secret !== "" && { webhook_secret: secret }),
  };
}

/** Whether it is a key of the test mode, by which buyers book and nobody pays. */
export function isOfTest(draft: KeysDraft): boolean {
  return /^[rs]k_test_/.test(draft.secret_key.trim());
}

const FIELDS: readonly (keyof KeysDraft)[] = ["secret_key", "webhook_secret", "publishable_key"];

/** The field of the form that a refusal names, if it names one. */
export function fieldOf(told: unknown): keyof KeysDraft | null {
  return FIELDS.find((name) => name === told) ?? null;
}

/** The field that was wrong, if the refusal is about one. */
export function wrongOf(error: unknown): keyof KeysDraft | null {
  return error instanceof Problem ? fieldOf(error.data["field"]) : null;
}
