// The form of the mail server: what it shows of what is set, and what it sends of what was typed.
import type { MailServerView, SaveMailServer, SetMailServer } from "~/api/schema";
import { changed } from "../saving/changes";
import { versionOf } from "../saving/useChange";

export const ENCRYPTIONS = ["starttls", "tls", "none"] as const;
export type Encryption = (typeof ENCRYPTIONS)[number];
const PORTS: Record<Encryption, string> = { starttls: "587", tls: "465", none: "25" };

export type ServerDraft = {
  readonly host: string;
  readonly port: string;
  readonly encryption: Encryption;
  readonly username: string;
  /** Empty: the one that is kept stays. */
  readonly password: string;
  readonly sender: string;
};

export function serverDraftOf(view: MailServerView): ServerDraft {
  const encryption = ENCRYPTIONS.find((one) => one === view.encryption) ?? "starttls";
  return {
    host: view.host ?? "",
    port: view.port === null ? PORTS[encryption] : String(view.port),
    encryption,
    username: view.username ?? "",
    password: "",
    sender: view.decided_by === "console" || view.is_sender_fixed ? view.sender : "",
  };
}

/** Another encryption has another usual port; one that was typed stays. */
export function encrypted(draft: ServerDraft, encryption: Encryption): ServerDraft {
  const isUsual = draft.port === PORTS[draft.encryption];
  return { ...draft, encryption, port: isUsual ? PORTS[encryption] : draft.port };
}

export function serverOf(draft: ServerDraft, view: MailServerView): SetMailServer {
  return {
    host: draft.host.trim(),
    port: Number(draft.port),
    encryption: draft.encryption,
    username: draft.username.trim(),
    password: draft.password === "" ? null : draft.password,
    sender: view.is_sender_fixed ? null : draft.sender.trim(),
  };
}

type Place = Omit<ServerDraft, "password" | "sender">;
export type ServerChange = { place?: Place; password?: string; sender?: string };

/** What is compared. To which server and as whom is one: a password is typed for just that. */
export function serverOwn(view: MailServerView): { place: Place; sender: string } {
  const { password: _, sender, ...place } = serverDraftOf(view);
  return { place, sender };
}

export function serverChange(began: MailServerView, draft: ServerDraft): ServerChange {
  const { password, sender, ...place } = draft;
  if (password !== "") return { ...changed(serverOwn(began), { sender }), place, password };
  return changed(serverOwn(began), { place, sender });
}

/** What is sent: a server is saved whole. */
export function wholeServer(change: ServerChange, now: MailServerView): SaveMailServer {
  const { place, ...others } = change;
  const draft = { ...serverDraftOf(now), ...place, ...others };
  return { ...serverOf(draft, now), ...versionOf(now) };
}

/** The field of the form that a refusal names, if it names one: of a trial it is within `server`. */
export function fieldOf(told: unknown): string | null {
  return typeof told === "string" ? told.replace(/^server\./, "") : null;
}
