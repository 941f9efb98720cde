// The form of a venue: where it is and by which clocks.
import type { MerchantView, NewVenue, Venue } from "~/api/schema";
import { changed } from "../saving/changes";
import { readTranslations, type Translated, writeTranslations } from "~/translations/translated";

export type VenueDraft = {
  readonly name: string;
  readonly address: string;
  readonly city: string;
  readonly country: string;
  readonly zone: string;
  readonly website: string;
  readonly accessibility: string;
  readonly translated: Translated;
};

const typedOf = ({ name, accessibility }: { name: string; accessibility: string }) => ({
  name,
  accessibility,
});

/** A new venue begins in the merchant's country and zone. */
export function newVenueDraft(merchant: MerchantView): VenueDraft {
  return {
    name: "",
    address: "",
    city: "",
    country: merchant.country ?? "",
    zone: merchant.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone ?? "",
    website: "",
    accessibility: "",
    translated: {},
  };
}

export function venueDraft(of: Venue): VenueDraft {
  return {
    name: of.name,
    address: of.address,
    city: of.city,
    country: of.country ?? "",
    zone: of.time_zone,
    website: of.website ?? "",
    accessibility: of.accessibility,
    translated: readTranslations(of.translations ?? [], typedOf(of)),
  };
}

export function venueOf(draft: VenueDraft, before: Venue | null, now = before): NewVenue {
  const said = (text: string) => (text.trim() === "" ? null : text.trim());
  return {
    name: draft.name.trim(),
    address: draft.address.trim(),
    city: draft.city.trim(),
    country: said(draft.country),
    time_zone: draft.zone.trim(),
    website: said(draft.website),
    accessibility: draft.accessibility.replaceAll("\r\n", "\n").trim(),
    translations: writeTranslations(
      draft.translated,
      typedOf(draft),
      typedOf(before ?? { name: "", accessibility: "" }),
      now?.translations ?? [],
    ),
  };
}

/** Only what was changed since `before`: the rest stays as it is `now`, also where it was made elsewhere. */
export function venueChange(before: Venue, draft: VenueDraft, now = before) {
  return changed(venueOf(venueDraft(before), before, now), venueOf(draft, before, now));
}
