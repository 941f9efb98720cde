// What was typed of the keys and is not saved yet, kept in this tab over the account that it was typed over.
// A secret is never kept; only that there was one.
import type { PaymentProviderView } from "~/api/schema";
import { dropTyped, keepTyped, keptTyped } from "../typed";
import { draftOf, type KeysDraft, versionNow } from "./keysDraft";

const FORM = "payment-provider";
// Whatever else was pasted into the field of the publishable key may be a secret.
const PUBLIC = /^\s*(pk_\w*)?\s*$/;

export type KeptKeys = { readonly draft: KeysDraft; readonly hadSecrets: boolean };
/** What is typed over, and by whom. */
export type KeysOver = { readonly view: PaymentProviderView; readonly by: string };

export const hasSecrets = ({ secret_key: key, webhook_secret: secret }: KeysDraft) =>
  key !== "" || secret !== "";

export function keepKeys(
  { draft, hadSecrets }: KeptKeys,
  { view, by }: KeysOver,
  store: Storage = sessionStorage,
): void {
  const before = draftOf(view.account).publishable_key;
  const isPublic = PUBLIC.test(draft.publishable_key);
  const publishable = isPublic ? draft.publishable_key : before;
  const had = hadSecrets || hasSecrets(draft) || !isPublic;
  if (!had && publishable === before) return dropKeys(store);
  const typed = { publishable_key: publishable, had_secrets: had, typed_over: versionNow(view) };
  keepTyped(FORM, by, typed, store);
}

/** What they typed over this view. After another account or key was set, by whomever, there is nothing. */
export function keptKeys({ view, by }: KeysOver, store: Storage = sessionStorage): KeptKeys | null {
  const found = keptTyped(FORM, by, store);
  if (found === null || found["typed_over"] !== versionNow(view)) return null;
  const { publishable_key: publishable } = found;
  if (typeof publishable !== "string") return null;
  const draft = { ...draftOf(view.account), publishable_key: publishable };
  return { draft, hadSecrets: found["had_secrets"] === true };
}

export function dropKeys(store: Storage = sessionStorage): void {
  dropTyped(FORM, store);
}
