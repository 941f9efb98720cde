// What was typed of the mail server and is not saved yet, kept in this tab over the state that it was
// typed over. A password is never kept; only that there was one.
import type { MailServerView } from "~/api/schema";
import { dropTyped, keepTyped, keptTyped } from "../typed";
import { ENCRYPTIONS, type ServerDraft } from "./serverDraft";

const FORM = "mail-server";
const TEXTS = [
  "host",
  "port",
  "username",
  "sender",
] as const satisfies readonly (keyof ServerDraft)[];

export type KeptServer = { readonly draft: ServerDraft; readonly hadPassword: boolean };
/** What is typed over, and by whom. */
export type TypedOver = { readonly view: MailServerView; readonly by: string };

export function keepServer(
  { draft: { password, ...draft }, hadPassword }: KeptServer,
  { view, by }: TypedOver,
  store: Storage = sessionStorage,
): void {
  const had = hadPassword || password !== "";
  keepTyped(FORM, by, { ...draft, had_password: had, typed_over: view.changed_at }, store);
}

/** What they typed over this view. After it was changed, by whomever, there is nothing. */
export function keptServer(
  { view, by }: TypedOver,
  store: Storage = sessionStorage,
): KeptServer | null {
  const found = keptTyped(FORM, by, store);
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
  dropTyped(FORM, store);
}
