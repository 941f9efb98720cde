// The form of a city: where it is, by which clocks and in which currency its cinemas sell. The last two
// are said once.
import type { City, CityChange, MerchantView, NewCity } from "~/api/schema";
import { readTranslations, type Translated, writeTranslations } from "~/translations/translated";
import { changed } from "../saving/changes";

export type CityDraft = {
  readonly name: string;
  readonly country: string;
  readonly zone: string;
  readonly currency: string;
  readonly translated: Translated;
};

const typedOf = ({ name }: { name: string }) => ({ name });

/** A new city begins as the merchant's own. */
export function newCityDraft(merchant: MerchantView): CityDraft {
  return {
    name: "",
    country: merchant.country ?? "",
    zone: merchant.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone ?? "",
    currency: merchant.currency ?? "",
    translated: {},
  };
}

export function cityDraft(of: City): CityDraft {
  return {
    name: of.name,
    country: of.country,
    zone: of.time_zone,
    currency: of.currency,
    translated: readTranslations(of.translations ?? [], typedOf(of)),
  };
}

export function cityFaults(draft: CityDraft): string[] {
  const faults: string[] = [];
  if (draft.name.trim() === "") faults.push("name");
  if (draft.country === "") faults.push("country");
  if (draft.zone.trim() === "") faults.push("zone");
  if (!/^[A-Z]{3}$/u.test(currencyOf(draft))) faults.push("currency");
  return faults;
}

export function newCity(draft: CityDraft): NewCity {
  return { ...said(draft, null), time_zone: draft.zone.trim(), currency: currencyOf(draft) };
}

/** All that the form says of a city that is there. */
export const cityOwn = ({ name, country, translations = [] }: City) => ({
  name,
  country,
  translations,
});

/** Only what was changed since the form began; texts of others' translations stay as they are `now`. */
export function cityChange(began: City, draft: CityDraft, now = began): CityChange {
  return changed(said(cityDraft(began), began, now), said(draft, began, now));
}

const currencyOf = ({ currency }: CityDraft) => currency.trim().toUpperCase();

function said(draft: CityDraft, before: City | null, now = before) {
  return {
    name: draft.name.trim(),
    country: draft.country,
    translations: writeTranslations(
      draft.translated,
      typedOf(draft),
      typedOf(before ?? { name: "" }),
      now?.translations ?? [],
    ),
  };
}
