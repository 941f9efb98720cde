// The form of a cinema: in which city, its name and its address, and by what its shows are sold where they
// say nothing of their own. Amounts are in the currency of its city.
import type { Cinema, CinemaChange, NewCinema } from "~/api/schema";
import { readTranslations, type Translated, writeTranslations } from "~/translations/translated";
import {
  type TermsDraft,
  termsDraft,
  termsFaults,
  termsPricing,
  termsTexts,
} from "../programme/terms";
import { changed } from "../saving/changes";

export type CinemaDraft = {
  /** Its id; a cinema stays in its city. */
  readonly city: string;
  readonly name: string;
  readonly address: string;
  readonly terms: TermsDraft;
  /** The name, the address, and the names of fees and taxes. */
  readonly translated: Translated;
};

/** What guests read of it, by the names of the fields. */
export function cinemaTexts({ name, address, terms }: Omit<CinemaDraft, "city" | "translated">) {
  const texts = Object.entries({ name: name.trim(), address: address.trim() });
  return Object.fromEntries(
    [...texts, ...termsTexts(terms)].filter(([, text]) => text !== ""),
  ) as Readonly<Record<string, string>>;
}

export const newCinemaDraft = (city: string): CinemaDraft => ({
  city,
  name: "",
  address: "",
  terms: termsDraft(null, ""),
  translated: {},
});

export function cinemaDraft(of: Cinema, currency: string): CinemaDraft {
  const { name, address } = of;
  const texts = { name, address, terms: termsDraft(of.pricing, currency) };
  return {
    city: of.city.id,
    ...texts,
    translated: readTranslations(of.translations ?? [], cinemaTexts(texts)),
  };
}

export function cinemaFaults(draft: CinemaDraft, currency: string): string[] {
  const faults: string[] = [];
  if (draft.city === "") faults.push("city");
  if (draft.name.trim() === "") faults.push("name");
  return [...faults, ...termsFaults(draft.terms, currency)];
}

export function newCinema(draft: CinemaDraft, currency: string): NewCinema {
  return { ...said(draft, currency, null), city: draft.city };
}

/** All that the form says of a cinema that is there; what of the translations it does not show is
 * nobody's here. */
export const cinemaOwn = (of: Cinema, currency: string): object =>
  said(cinemaDraft(of, currency), currency, of, { ...of, translations: [] });

/** Only what was changed since the form began; what it does not show stays as it is `now`. */
export function cinemaChange(
  began: Cinema,
  draft: CinemaDraft,
  currency: string,
  now = began,
): CinemaChange {
  const before = said(cinemaDraft(began, currency), currency, began, now);
  return changed(before, said(draft, currency, began, now));
}

function said(draft: CinemaDraft, currency: string, before: Cinema | null, now = before) {
  return {
    name: draft.name.trim(),
    address: draft.address.trim(),
    pricing: termsPricing(draft.terms, currency, now?.pricing),
    translations: writeTranslations(
      draft.translated,
      cinemaTexts(draft),
      before === null ? {} : cinemaTexts(cinemaDraft(before, currency)),
      now?.translations ?? [],
    ),
  };
}
