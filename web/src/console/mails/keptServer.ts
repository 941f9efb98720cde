// What was typed of the mail server and is not saved yet, kept in this tab for who typed it: for a
// proof, somebody may have to go to another page first. A password is never kept; only that there
// was one.
import type { ConsoleSessionView } from "~/api/internal";
import { readStored } from "~/api/stored";
import type { MailServerView } from "~/api/schema";
import { ENCRYPTIONS, type ServerDraft } from "./serverDraft";

const KEPT_AS = "bespeak.console.mail-server";
const TEXTS = [
  "host",
  "port",
  "username",
  "sender",
] as const satisfies readonly (keyof ServerDraft)[];

export type KeptServer = { readonly draft: ServerDraft; readonly hadPassword: boolean };
/** What is typed over, and by whom. */
export type TypedOver = { readonly view: MailServerView; readonly by: string };

/** Who types: an operator, or whoever has a key of this name. */
export function typist({ operator_id: operator, name }: ConsoleSessionView): string {
  return operator ?? `key ${name}`;
}

export function keepServer(
  { draft: { password, ...draft }, hadPassword }: KeptServer,
  { view, by }: TypedOver,
  store: Storage = sessionStorage,
): void {
  const had = hadPassword || password !== "";
  const kept = { ...draft, had_password: had, typed_over: view.changed_at, typed_by: by };
  store.setItem(KEPT_AS, JSON.stringify(kept));
}

/** What they typed over this view. After it was changed, by whomever, there is nothing; and what
 * somebody else typed is forgotten: a session may have ended without a logout, or in another tab. */
export function keptServer(
  { view, by }: TypedOver,
  store: Storage = sessionStorage,
): KeptServer | null {
  const found = readStored(store, KEPT_AS);
  if (found === null) return null;
  if (found["typed_by"] !== by) {
    dropServer(store);
    return null;
  }
  if (found["typed_over"] !== view.changed_at) return null;
  const encryption = ENCRYPTIONS.find((one) => one === found["encryption"]);
  const [host, port, username, sender] = TEXTS.map((name) => found[name]);
  if (
    encryption === undefined ||
    typeof host !== "string" ||
    typeof port !== "string" ||
    typeof username !== "string" ||
    typeof sender !== "string"
  )
    return null;
  const draft = { host, port, encryption, username, sender, password: "" };
  return { draft, hadPassword: found["had_password"] === true };
}

export function dropServer(store: Storage = sessionStorage): void {
  store.removeItem(KEPT_AS);
}
