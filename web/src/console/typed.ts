// What was typed and is not saved yet, kept in this tab for who typed it: for a proof, somebody may have
// to go to another page first. A secret is never kept.
import type { ConsoleSessionView } from "~/api/internal";
import { readStored } from "~/api/stored";

const PREFIX = "bespeak.console.typed.";

/** Who types: an operator, or whoever has a key of this name. */
export function typist({ operator_id: operator, name }: ConsoleSessionView): string {
  return operator ?? `key ${name}`;
}

export function keepTyped(
  form: string,
  by: string,
  typed: object,
  store: Storage = sessionStorage,
): void {
  store.setItem(PREFIX + form, JSON.stringify({ ...typed, typed_by: by }));
}

/** What they typed; what somebody else typed is forgotten: a session may have ended without a logout,
 * or in another tab. */
export function keptTyped(
  form: string,
  by: string,
  store: Storage = sessionStorage,
): Readonly<Record<string, unknown>> | null {
  const found = readStored(store, PREFIX + form);
  if (found === null) return null;
  if (found["typed_by"] === by) return found;
  dropTyped(form, store);
  return null;
}

export function dropTyped(form: string, store: Storage = sessionStorage): void {
  store.removeItem(PREFIX + form);
}

/** What they typed is not for who comes next. */
export function dropAllTyped(store: Storage = sessionStorage): void {
  for (const key of Object.keys(store)) if (key.startsWith(PREFIX)) store.removeItem(key);
}
