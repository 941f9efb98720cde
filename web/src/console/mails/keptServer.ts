// What was typed of the mail server and is not saved yet, kept in this tab: for a proof, somebody may
// have to go to another page first. A password is never kept; only that there was one.
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

export function keepServer(
  { password, ...draft }: ServerDraft,
  view: MailServerView,
  store: Storage = sessionStorage,
): void {
  const kept = { ...draft, had_password: password !== "", typed_over: view.changed_at };
  store.setItem(KEPT_AS, JSON.stringify(kept));
}

/** What was typed over this view. After it was changed, by whomever, there is nothing. */
export function keptServer(
  view: MailServerView,
  store: Storage = sessionStorage,
): KeptServer | null {
  const found = readStored(store, KEPT_AS);
  if (found === null || found["typed_over"] !== view.changed_at) return null;
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
