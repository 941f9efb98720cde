// The form of a listing: what one books, how many there are of it, and by which rules it is sold. What
// of its plan the form does not show stays as it is.
import type { Listing, ListingChange, NewListing, NightsPlan, Pricing } from "~/api/schema";
import { readTranslations, type Translated, writeTranslations } from "~/translations/translated";
import { AMENITIES, type AmenityName } from "~/shop/stays/words";
import { readAmount, readWhole, writeAmount } from "../programme/amounts";
import { changed } from "../saving/changes";
import type { Payment } from "../programme/dateDraft";
import { type TermsDraft, termsDraft, termsFaults, termsPricing } from "../programme/terms";
import {
  type DiscountDraft,
  discountDraft,
  discountFaults,
  discountOf,
  type GuestsDraft,
  guestsDraft,
  guestsFaults,
  guestsOf,
  NO_GUESTS,
  type RateDraft,
  rateDraft,
  rateFaults,
  rateOf,
  unrefundableRates,
  withoutRates,
  withRates,
} from "./rates";
import { type RuleDraft, ruleDraft, ruleFaults, ruleOf, STAY_MAX } from "./rules";

export const BEDS = ["single", "double", "queen", "king", "bunk", "sofa", "cot"] as const;
export type BedKind = (typeof BEDS)[number];

export type ListingDraft = {
  readonly name: string;
  readonly guests: string;
  /** A number of rooms that are alike, or rooms by their names. */
  readonly roomsAre: "counted" | "named";
  readonly count: string;
  readonly rooms: string;
  readonly currency: string;
  readonly price: string;
  readonly payment: Payment;
  readonly minNights: string;
  readonly maxNights: string;
  readonly rules: readonly RuleDraft[];
  readonly rates: readonly RateDraft[];
  readonly discounts: readonly DiscountDraft[];
  readonly guestPrices: GuestsDraft;
  readonly terms: TermsDraft;
  readonly beds: Readonly<Record<BedKind, string>>;
  readonly squareMetres: string;
  readonly amenities: readonly AmenityName[];
  readonly summary: string;
  readonly description: string;
  readonly reference: string;
  readonly translated: Translated;
};

const GUESTS_MAX = 50;
const COUNT_MAX = 1_000_000;
const BEDS_MAX = 50;
const METRES_MAX = 10_000;
const NO_BEDS = Object.fromEntries(BEDS.map((kind) => [kind, ""])) as Record<BedKind, string>;

type Texts = { readonly name: string; readonly summary: string; readonly description: string };

const typedOf = ({ name, summary, description }: Texts) => ({ name, summary, description });

export function newListingDraft(currency: string): ListingDraft {
  return {
    name: "",
    guests: "2",
    roomsAre: "counted",
    count: "1",
    rooms: "",
    currency,
    price: "",
    payment: "required",
    minNights: "1",
    maxNights: "",
    rules: [],
    rates: [],
    discounts: [],
    guestPrices: NO_GUESTS,
    terms: termsDraft(null, currency),
    beds: NO_BEDS,
    squareMetres: "",
    amenities: [],
    summary: "",
    description: "",
    reference: "",
    translated: {},
  };
}

export function listingDraft(of: Listing): ListingDraft {
  const { currency, amount } = of.price;
  const plan = of.plan ?? { type: "nights" };
  const unrefundable = unrefundableRates(of.pricing?.cancellation);
  const beds = { ...NO_BEDS };
  for (const { kind, count } of of.beds) beds[kind] = String(Number(beds[kind]) + (count ?? 1));
  return {
    name: of.name,
    guests: String(of.guests),
    roomsAre: plan.rooms ? "named" : "counted",
    count: String(plan.count ?? 1),
    rooms: (plan.rooms ?? []).join("\n"),
    currency,
    price: writeAmount(plan.price ?? amount, currency),
    payment: of.payment,
    minNights: String(plan.min_nights ?? 1),
    maxNights:
      plan.max_nights === undefined || plan.max_nights === STAY_MAX ? "" : String(plan.max_nights),
    rules: (plan.rules ?? []).map((rule) => ruleDraft(rule, currency)),
    rates: (plan.rates ?? []).map((rate) => rateDraft(rate, currency, unrefundable)),
    discounts: (plan.discounts ?? []).map(discountDraft),
    guestPrices: guestsDraft(plan, currency),
    terms: termsDraft(bareTerms(of.pricing), currency),
    beds,
    squareMetres: of.square_metres === null ? "" : String(of.square_metres),
    amenities: of.amenities,
    summary: of.summary,
    description: of.description,
    reference: of.ref ?? "",
    translated: readTranslations(of.translations ?? [], typedOf(of)),
  };
}

/** The terms without those of rates, which have them themselves. */
function bareTerms(pricing: Pricing | null): Pricing | null {
  if (!pricing?.cancellation) return pricing;
  return { ...pricing, cancellation: withoutRates(pricing.cancellation) };
}

/** Rooms by their names, one to a line. */
export function readRooms(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** The names of the fields that cannot be read, with those of the rules as "rules.0.price". */
export function listingFaults(draft: ListingDraft): string[] {
  const { currency } = draft;
  const faults: string[] = [];
  const isWhole = (text: string, least: number, most: number) =>
    readWhole(text, least, most) !== null;
  if (draft.name.trim() === "") faults.push("name");
  if (!isWhole(draft.guests, 1, GUESTS_MAX)) faults.push("guests");
  if (draft.roomsAre === "counted" && !isWhole(draft.count, 0, COUNT_MAX)) faults.push("count");
  const rooms = readRooms(draft.rooms);
  if (draft.roomsAre === "named" && (rooms.length === 0 || new Set(rooms).size < rooms.length))
    faults.push("rooms");
  if (!/^[A-Za-z]{3}$/u.test(currency.trim())) faults.push("currency");
  if (readAmount(draft.price, currency) === null) faults.push("price");
  if (!isWhole(draft.minNights, 1, STAY_MAX)) faults.push("minNights");
  if (draft.maxNights.trim() !== "" && !isWhole(draft.maxNights, 1, STAY_MAX))
    faults.push("maxNights");
  if (draft.squareMetres.trim() !== "" && !isWhole(draft.squareMetres, 1, METRES_MAX))
    faults.push("squareMetres");
  for (const kind of BEDS)
    if (draft.beds[kind].trim() !== "" && !isWhole(draft.beds[kind], 0, BEDS_MAX))
      faults.push(`beds.${kind}`);
  draft.rules.forEach((rule, at) => {
    faults.push(...ruleFaults(rule, currency).map((name) => `rules.${at}.${name}`));
  });
  return [
    ...faults,
    ...rateFaults(draft.rates, currency, draft.terms.refund.is !== "unsaid"),
    ...discountFaults(draft.discounts),
    ...guestsFaults(draft.guestPrices, draft.guests, currency),
    ...termsFaults(draft.terms, currency),
  ];
}

function planOf(draft: ListingDraft, before: NightsPlan | null): NightsPlan {
  const { count: _count, rooms: _rooms, price, ...kept } = before ?? { type: "nights" as const };
  const isNamed = draft.roomsAre === "named";
  const amount = readAmount(draft.price, draft.currency) ?? 0;
  return {
    ...kept,
    type: "nights",
    ...(isNamed
      ? { rooms: readRooms(draft.rooms), overbooking: 0 }
      : { count: readWhole(draft.count, 0, COUNT_MAX) ?? 0, buffer_nights: 0 }),
    // A plan with a price of its own keeps having one: else the resource's would count.
    ...(price !== null && price !== undefined && { price: amount }),
    min_nights: readWhole(draft.minNights, 1, STAY_MAX) ?? 1,
    max_nights: readWhole(draft.maxNights, 1, STAY_MAX) ?? STAY_MAX,
    rules: draft.rules.map((rule) => ruleOf(rule, draft.currency)),
    ...guestsOf(draft.guestPrices, draft.currency),
    rates: draft.rates.map((rate) => rateOf(rate, draft.currency)),
    discounts: draft.discounts.map(discountOf),
  };
}

/** What a listing is made of or changed to: `before` is what the form began with, `now` has what the form
 * does not show. */
function said(draft: ListingDraft, before: Listing | null, now = before) {
  const currency = draft.currency.trim().toUpperCase();
  const price = readAmount(draft.price, currency) ?? 0;
  return {
    name: draft.name.trim(),
    guests: readWhole(draft.guests, 1, GUESTS_MAX) ?? 1,
    plan: planOf(draft, now?.plan ?? null),
    price,
    payment: price === 0 ? ("none" as const) : draft.payment,
    pricing: pricingOf(draft, currency, now?.pricing ?? null),
    beds: BEDS.flatMap((kind) => {
      const count = readWhole(draft.beds[kind], 1, BEDS_MAX);
      return count === null ? [] : [{ kind, count }];
    }),
    square_metres: readWhole(draft.squareMetres, 1, METRES_MAX),
    amenities: AMENITIES.filter((one) => draft.amenities.includes(one)),
    summary: draft.summary.trim(),
    description: draft.description.replaceAll("\r\n", "\n").trim(),
    ref: draft.reference.trim() === "" ? null : draft.reference.trim(),
    translations: writeTranslations(
      draft.translated,
      typedOf(draft),
      typedOf(before ?? { name: "", summary: "", description: "" }),
      now?.translations ?? [],
    ),
  };
}

function pricingOf(draft: ListingDraft, currency: string, before: Pricing | null): Pricing | null {
  const terms = termsPricing(draft.terms, currency, bareTerms(before));
  if (terms === null) return null;
  const names = draft.rates.filter((rate) => !rate.isRefundable).map((rate) => rate.name.trim());
  return { ...terms, cancellation: withRates(terms.cancellation ?? null, names) };
}

export function newListing(property: string, draft: ListingDraft): NewListing {
  return { property, currency: draft.currency.trim().toUpperCase(), ...said(draft, null) };
}

/** All that the form says of a listing. */
export const listingOwn = (of: Listing): object => said(listingDraft(of), of);

/** Only what was changed since `before`: the rest stays as it is `now`, also where it was made elsewhere. */
export function listingChange(before: Listing, draft: ListingDraft, now = before): ListingChange {
  return changed(said(listingDraft(before), before, now), said(draft, before, now));
}
