// The form of a property: where it is, by which clocks, what all who stay there have.
import type { MerchantView, NewProperty, Property } from "~/api/schema";
import { changed } from "../saving/changes";
import { readTranslations, type Translated, writeTranslations } from "~/translations/translated";
import { AMENITIES, type AmenityName, type PropertyKind } from "~/shop/stays/words";

export type PropertyDraft = {
  readonly name: string;
  readonly kind: PropertyKind;
  readonly stars: string;
  readonly address: string;
  readonly city: string;
  readonly country: string;
  readonly lat: string;
  readonly lon: string;
  readonly zone: string;
  readonly checkIn: string;
  readonly checkOut: string;
  readonly summary: string;
  readonly description: string;
  readonly rules: string;
  readonly amenities: readonly AmenityName[];
  readonly languages: string;
  readonly website: string;
  readonly rating: string;
  readonly ratings: string;
  readonly ratingSource: string;
  readonly reference: string;
  readonly translated: Translated;
};

/** The fields that have translations. */
const TEXTS = ["name", "address", "city", "summary", "description", "rules"] as const;
const LAT_MAX = 90;
const LON_MAX = 180;
const RATING_MAX = 10;

type Texts = { readonly [Name in (typeof TEXTS)[number]]: string };

const typedOf = (of: Texts) => Object.fromEntries(TEXTS.map((name) => [name, of[name]]));
const storedOf = (of: Property): Texts => ({ ...of, rules: of.house_rules });

/** A new property begins in the merchant's country and zone. */
export function newPropertyDraft(merchant: MerchantView): PropertyDraft {
  return {
    name: "",
    kind: "hotel",
    stars: "",
    address: "",
    city: "",
    country: merchant.country ?? "",
    lat: "",
    lon: "",
    zone: merchant.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone ?? "",
    checkIn: "15:00",
    checkOut: "11:00",
    summary: "",
    description: "",
    rules: "",
    amenities: [],
    languages: "",
    website: "",
    rating: "",
    ratings: "",
    ratingSource: "",
    reference: "",
    translated: {},
  };
}

export function propertyDraft(of: Property): PropertyDraft {
  return {
    name: of.name,
    kind: of.kind,
    stars: of.stars === null ? "" : String(of.stars),
    address: of.address,
    city: of.city,
    country: of.country ?? "",
    lat: String(of.lat),
    lon: String(of.lon),
    zone: of.time_zone,
    checkIn: of.check_in_time,
    checkOut: of.check_out_time,
    summary: of.summary,
    description: of.description,
    rules: of.house_rules,
    amenities: of.amenities,
    languages: of.languages.join(", "),
    website: of.website ?? "",
    rating: String(of.rated_elsewhere?.rating ?? ""),
    ratings: String(of.rated_elsewhere?.ratings ?? ""),
    ratingSource: of.rated_elsewhere?.source ?? "",
    reference: of.ref ?? "",
    translated: readTranslations(of.translations ?? [], typedOf(storedOf(of))),
  };
}

type RatedElsewhere = NonNullable<NewProperty["rated_elsewhere"]>;

/** The names of the fields that cannot be read. */
export function propertyFaults(draft: PropertyDraft): string[] {
  const faults: string[] = [];
  if (draft.name.trim() === "") faults.push("name");
  if (readDegrees(draft.lat, LAT_MAX) === null) faults.push("lat");
  if (readDegrees(draft.lon, LON_MAX) === null) faults.push("lon");
  if (draft.zone.trim() === "") faults.push("zone");
  if (draft.checkIn === "") faults.push("checkIn");
  if (draft.checkOut === "") faults.push("checkOut");
  return [...faults, ...ratedFaults(draft)];
}

/** All three say something, or none. */
function ratedFaults({ rating, ratings, ratingSource }: PropertyDraft): string[] {
  if ([rating, ratings, ratingSource].every((text) => text.trim() === "")) return [];
  const faults: string[] = [];
  if (readRating(rating) === null) faults.push("rating");
  if (!/^[1-9]\d{0,6}$/u.test(ratings.trim())) faults.push("ratings");
  if (ratingSource.trim() === "") faults.push("ratingSource");
  return faults;
}

/** From 1 to 10, with a point or a comma; null where it is none. */
function readRating(text: string): number | null {
  const plain = text.trim().replace(",", ".");
  const value = /^\d{1,2}(?:\.\d{1,2})?$/u.test(plain) ? Number(plain) : 0;
  return value >= 1 && value <= RATING_MAX ? value : null;
}

function ratedElsewhere(draft: PropertyDraft): RatedElsewhere | null {
  const rating = readRating(draft.rating);
  if (rating === null) return null;
  return { rating, ratings: Number(draft.ratings), source: draft.ratingSource.trim() };
}

export function propertyOf(
  draft: PropertyDraft,
  before: Property | null,
  now = before,
): NewProperty {
  const said = (text: string) => (text.trim() === "" ? null : text.trim());
  const lines = (text: string) => text.replaceAll("\r\n", "\n").trim();
  const empty = typedOf({
    name: "",
    address: "",
    city: "",
    summary: "",
    description: "",
    rules: "",
  });
  return {
    name: draft.name.trim(),
    kind: draft.kind,
    stars: draft.stars === "" ? null : Number(draft.stars),
    address: draft.address.trim(),
    city: draft.city.trim(),
    country: said(draft.country),
    lat: readDegrees(draft.lat, LAT_MAX) ?? 0,
    lon: readDegrees(draft.lon, LON_MAX) ?? 0,
    time_zone: draft.zone.trim(),
    check_in_time: draft.checkIn,
    check_out_time: draft.checkOut,
    summary: draft.summary.trim(),
    description: lines(draft.description),
    house_rules: lines(draft.rules),
    amenities: AMENITIES.filter((one) => draft.amenities.includes(one)),
    languages: draft.languages.split(/[\s,;]+/u).filter((one) => one !== ""),
    website: said(draft.website),
    rated_elsewhere: ratedElsewhere(draft),
    ref: said(draft.reference),
    translations: writeTranslations(
      draft.translated,
      typedOf(draft),
      before === null ? empty : typedOf(storedOf(before)),
      now?.translations ?? [],
    ),
  };
}

/** Only what was changed since `before`: the rest stays as it is `now`, also where it was made elsewhere. */
export function propertyChange(before: Property, draft: PropertyDraft, now = before) {
  return changed(propertyOf(propertyDraft(before), before, now), propertyOf(draft, before, now));
}

/**
 * Degrees as they are typed, with a point or a comma; null where they are none. What the API
 * answers is read as it was: to all its digits, and `1e-7` for what is next to nothing.
 */
export function readDegrees(text: string, most: number): number | null {
  const plain = text.trim().replace(",", ".");
  if (!/^-?\d{1,3}(?:\.\d{1,20})?(?:e-\d{1,3})?$/u.test(plain)) return null;
  const value = Number(plain);
  return Math.abs(value) <= most ? value : null;
}
