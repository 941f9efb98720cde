// The form of the shop settings: what the merchant has said as fields, and the change to send.
import type { ChangeMerchant, LegalText, MerchantView } from "~/api/schema";
import type { LocaleName } from "~/i18n";
import { changed, isOver } from "../saving/changes";

export const LEGAL_NAMES = ["terms", "privacy", "imprint"] as const;
export type LegalName = (typeof LEGAL_NAMES)[number];

export type LegalDraft = {
  /** Nothing, an address, or words. */
  is: "none" | "url" | "texts";
  url: string;
  texts: Readonly<Partial<Record<LocaleName, string>>>;
  edition: string;
};

export const TEXT_FIELDS = [
  "name",
  "country",
  "currency",
  "time_zone",
  "email",
  "phone",
  "address",
  "tax_number",
  "invoice_prefix",
  "invoice_note",
] as const;
export type TextField = (typeof TEXT_FIELDS)[number];

export type Draft = Record<TextField, string> &
  Record<LegalName, LegalDraft> & {
    /** Null: our own colour. */
    accent: string | null;
    /** None: all. */
    languages: readonly LocaleName[];
  };

export function draftOf(merchant: MerchantView): Draft {
  return {
    name: merchant.name ?? "",
    country: merchant.country ?? "",
    currency: merchant.currency ?? "",
    time_zone: merchant.time_zone ?? "",
    email: merchant.email ?? "",
    phone: merchant.phone ?? "",
    address: merchant.address ?? "",
    tax_number: merchant.tax_number ?? "",
    invoice_prefix: merchant.invoice_prefix ?? "",
    invoice_note: merchant.invoice_note ?? "",
    accent: merchant.accent,
    languages: merchant.languages ?? [],
    terms: legalDraft(merchant.terms),
    privacy: legalDraft(merchant.privacy),
    imprint: legalDraft(merchant.imprint),
  };
}

function legalDraft(text: LegalText | null): LegalDraft {
  const url = text?.url ?? "";
  const is = text === null ? "none" : url === "" ? "texts" : "url";
  return { is, url, texts: text?.texts ?? {}, edition: text?.edition ?? "" };
}

/** Only what was changed since `began`: the rest stays as it is `now`, which a new logo has read again. Where
 * somebody else changed the same, it is for the version of `began`: that is refused. */
export function settingsChange(
  began: MerchantView,
  draft: Draft,
  now: MerchantView,
): ChangeMerchant {
  const before = settingsOf(draftOf(began));
  const change = changed(before, settingsOf(draft));
  const { version } = isOver(before, settingsOf(draftOf(now)), change) ? began : now;
  return { ...change, version };
}

/** All that the form says: what was emptied is taken away. */
export function settingsOf(draft: Draft) {
  const written = (text: string) => (text.trim() === "" ? null : text.trim());
  return {
    name: written(draft.name),
    country: written(draft.country),
    currency: written(draft.currency)?.toUpperCase() ?? null,
    time_zone: written(draft.time_zone),
    email: written(draft.email),
    phone: written(draft.phone),
    address: written(draft.address.replaceAll("\r\n", "\n")),
    tax_number: written(draft.tax_number),
    invoice_prefix: written(draft.invoice_prefix),
    invoice_note: written(draft.invoice_note.replaceAll("\r\n", "\n")),
    accent: draft.accent,
    languages: draft.languages.length === 0 ? null : [...draft.languages],
    terms: legalText(draft.terms),
    privacy: legalText(draft.privacy),
    imprint: legalText(draft.imprint),
  };
}

function legalText(draft: LegalDraft): LegalText | null {
  const edition = draft.edition.trim();
  if (draft.is === "none") return null;
  if (draft.is === "url") return { url: draft.url.trim(), edition };
  const written = Object.entries(draft.texts)
    .map(([language, words]) => [language, words.replaceAll("\r\n", "\n").trim()] as const)
    .filter(([, words]) => words !== "");
  return { texts: Object.fromEntries(written), edition };
}

/** The field of the form that a refusal speaks of: `terms.url` is `terms`. */
export function fieldOf(data: Readonly<Record<string, unknown>>): string | null {
  const field = data["field"];
  return typeof field === "string" ? (field.split(/[.[]/)[0] ?? null) : null;
}
