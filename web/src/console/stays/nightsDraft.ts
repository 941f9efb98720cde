// The form that changes many nights at once: of which listings, from when to when, and what they are
// to be. What follows from it is worked out before anything is sent.
import type { Listing, NightRule, NightsPlan } from "~/api/schema";
import { readAmount, readShare, readWhole } from "../programme/amounts";
import type { Weekday } from "../programme/clocks";
import { isDay } from "../reports/days";
import { nightsBetween, nightsOf } from "./nightRange";
import {
  changedRules,
  DATED_NIGHTS_MAX,
  type NightChange,
  RULES_MAX,
  type Said,
  type SoldNight,
  soldNights,
} from "./nightRules";
import { STAY_MAX } from "./rules";

export const PRICE_WAYS = [
  "leave",
  "to",
  "more_share",
  "less_share",
  "more_amount",
  "less_amount",
] as const;
export type PriceWay = (typeof PRICE_WAYS)[number];
export const SHUT_WAYS = ["leave", "yes", "no"] as const;
export type ShutWay = (typeof SHUT_WAYS)[number];
export const LENGTHS = ["minNights", "maxNights", "minThrough", "maxThrough"] as const;
export const SHUTS = ["closed", "closed_to_arrival", "closed_to_departure"] as const;

export type NightsDraft = {
  readonly listings: readonly string[];
  readonly from: string;
  readonly last: string;
  /** None of them: all. */
  readonly days: readonly Weekday[];
  readonly action: "set" | "usual";
  readonly priceWay: PriceWay;
  readonly price: string;
  /** Empty: as it is. */
  readonly minNights: string;
  readonly maxNights: string;
  readonly minThrough: string;
  readonly maxThrough: string;
  readonly closed: ShutWay;
  readonly closed_to_arrival: ShutWay;
  readonly closed_to_departure: ShutWay;
};

/** A change that says nothing yet. */
export const NO_CHANGE = {
  action: "set",
  priceWay: "leave",
  price: "",
  minNights: "",
  maxNights: "",
  minThrough: "",
  maxThrough: "",
  closed: "leave",
  closed_to_arrival: "leave",
  closed_to_departure: "leave",
} as const satisfies Partial<NightsDraft>;

/** What a change makes of a listing. */
export type Planned = {
  readonly listing: Listing;
  readonly plan: NightsPlan;
  readonly rules: readonly NightRule[];
  readonly before: ReadonlyMap<string, SoldNight>;
  readonly after: ReadonlyMap<string, SoldNight>;
  /** The nights that are to be otherwise. */
  readonly changed: readonly string[];
};

const PRICE_MAX = 1_000_000_000_000;
const BASIS_POINTS_ALL = 10_000;

/** The names of the fields that cannot be read; `says` where nothing is to change. */
export function nightsFaults(
  draft: NightsDraft,
  chosen: readonly Listing[],
  today: string,
): string[] {
  const faults: string[] = [];
  const { from, last, priceWay } = draft;
  if (chosen.length === 0) faults.push("listings");
  if (!isDay(from) || from < today) faults.push("from");
  if (!isDay(last) || last < from || nightsBetween(today, last) >= DATED_NIGHTS_MAX)
    faults.push("last");
  if (draft.action === "usual") return faults;
  const currencies = new Set(chosen.map(({ price }) => price.currency));
  if (isAmount(priceWay) && currencies.size > 1) faults.push("currencies");
  else if (priceWay !== "leave" && readPrice(draft, [...currencies][0] ?? "") === null)
    faults.push("price");
  for (const name of LENGTHS)
    if (draft[name].trim() !== "" && readWhole(draft[name], 1, STAY_MAX) === null)
      faults.push(name);
  const isSaid =
    priceWay !== "leave" ||
    LENGTHS.some((name) => draft[name].trim() !== "") ||
    SHUTS.some((name) => draft[name] !== "leave");
  if (!isSaid) faults.push("says");
  return faults;
}

export const isAmount = (way: PriceWay) =>
  way === "to" || way === "more_amount" || way === "less_amount";

/** Minor units, or basis points; null where neither can be read. */
function readPrice({ priceWay, price }: NightsDraft, currency: string): number | null {
  return isAmount(priceWay) ? readAmount(price, currency) : readShare(price);
}

/** What a draft without faults makes of these listings. */
export function plannedNights(
  draft: NightsDraft,
  chosen: readonly Listing[],
  today: string,
): Planned[] {
  const nights = nightsOf(draft.from, draft.last, draft.days, DATED_NIGHTS_MAX);
  return chosen.flatMap((listing) => {
    const { plan, price } = listing;
    if (!plan) return [];
    const change = changeOf(draft, price.currency);
    const rules = changedRules(plan, price.amount, nights, change, today);
    const before = soldNights(plan, price.amount, nights);
    const after = soldNights({ ...plan, rules }, price.amount, nights);
    const changed = nights.filter((night) => !isAlike(before.get(night), after.get(night)));
    return [{ listing, plan, rules, before, after, changed }];
  });
}

/** Why the server would not take it, or no guest could book it: in the end too many rules, or a
 * shortest stay above the longest. */
export function plannedFaults(planned: readonly Planned[]): string[] {
  const isTooMuch = planned.some(({ rules }) => rules.length > RULES_MAX);
  const isImpossible = planned.some(({ after, changed }) =>
    changed.some((night) => {
      const sold = after.get(night);
      if (sold === undefined) return false;
      const least = Math.max(sold.min_nights, sold.min_through);
      return least > Math.min(sold.max_nights, sold.max_through);
    }),
  );
  return [...(isTooMuch ? ["rules"] : []), ...(isImpossible ? ["lengths"] : [])];
}

function changeOf(draft: NightsDraft, currency: string): NightChange {
  if (draft.action === "usual") return "usual";
  const length = (name: (typeof LENGTHS)[number]) => readWhole(draft[name], 1, STAY_MAX);
  const lengths = {
    min_nights: length("minNights"),
    max_nights: length("maxNights"),
    min_through: length("minThrough"),
    max_through: length("maxThrough"),
  };
  const shut = SHUTS.filter((name) => draft[name] !== "leave").map((name) => [
    name,
    draft[name] === "yes",
  ]);
  const said = Object.entries(lengths).filter(([, nights]) => nights !== null);
  const always = Object.fromEntries([...said, ...shut]) as Said;
  const value = readPrice(draft, currency);
  if (draft.priceWay === "leave" || value === null) return () => always;
  return (_, now) => ({ ...always, price: priceOf(draft.priceWay, value, now.price) });
}

/** What a night costs then, in minor units: not below nothing, halves rounded up. */
function priceOf(way: PriceWay, value: number, now: number): number {
  const share = Math.round((now * value) / BASIS_POINTS_ALL);
  const found = {
    leave: now,
    to: value,
    more_share: now + share,
    less_share: now - share,
    more_amount: now + value,
    less_amount: now - value,
  }[way];
  return Math.min(Math.max(found, 0), PRICE_MAX);
}

function isAlike(one: SoldNight | undefined, other: SoldNight | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
