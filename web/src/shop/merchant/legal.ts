// The legal texts of a merchant: where each is read, and in which language.
import type { LegalText, MerchantView } from "~/api/schema";

export const LEGAL = ["imprint", "terms", "privacy"] as const;
export type LegalName = (typeof LEGAL)[number];

export function isLegalName(name: string): name is LegalName {
  return LEGAL.some((one) => one === name);
}

/** The address of a text; null where the merchant has none. */
export function legalHref(merchant: MerchantView | null, name: LegalName): string | null {
  const text = merchant?.[name] ?? null;
  if (text === null) return null;
  return text.url ?? `/legal/${name}`;
}

/** The words of a text in a language, or else in the first that there is. */
export function wordsIn(
  text: LegalText,
  language: string,
): { language: string; words: string } | null {
  const written = Object.entries(text.texts ?? {});
  const found = written.find(([name]) => name === language) ?? written[0];
  return found === undefined ? null : { language: found[0], words: found[1] };
}
