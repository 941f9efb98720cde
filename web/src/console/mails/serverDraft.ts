// The form of the mail server: what it shows of what is set, and what it sends of what was typed.
import type { MailServerView, SetMailServer } from "~/api/schema";

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

/** The field of the form that a refusal names, if it names one: of a trial it is within `server`. */
export function fieldOf(told: unknown): string | null {
  return typeof told === "string" ? told.replace(/^server\./, "") : null;
}
