// The rules of a plan of nights as lines of a form: from when to when, on which days, and what is so
// then. What of a rule the form does not show stays as it is.
import type { NightRule } from "~/api/schema";
import { readAmount, readWhole, writeAmount } from "../programme/amounts";
import { WEEKDAYS, type Weekday } from "../programme/clocks";

export type RuleDraft = {
  readonly from: string;
  /** The last night, as people say it; empty: for ever. */
  readonly last: string;
  /** None of them: all. */
  readonly days: readonly Weekday[];
  readonly price: string;
  readonly minNights: string;
  readonly minThrough: string;
  readonly isClosed: boolean;
  readonly noArrival: boolean;
  readonly noDeparture: boolean;
  readonly kept: NightRule;
};

export const NEW_RULE: RuleDraft = {
  from: "",
  last: "",
  days: [],
  price: "",
  minNights: "",
  minThrough: "",
  isClosed: false,
  noArrival: false,
  noDeparture: false,
  kept: {},
};

export const STAY_MAX = 366;
const DAY_MS = 86_400_000;

/** A date so many days later. */
function moved(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

export function ruleDraft(rule: NightRule, currency: string): RuleDraft {
  const { from, to, days, price, min_nights: nights, min_through: through, ...rest } = rule;
  const { closed, closed_to_arrival: arrival, closed_to_departure: departure, ...kept } = rest;
  return {
    from: from ?? "",
    last: to ? moved(to, -1) : "",
    days: WEEKDAYS.filter((day) => days?.includes(day)),
    price: typeof price === "number" ? writeAmount(price, currency) : "",
    minNights: nights ? String(nights) : "",
    minThrough: through ? String(through) : "",
    isClosed: closed ?? false,
    noArrival: arrival ?? false,
    noDeparture: departure ?? false,
    kept,
  };
}

/** The names of the fields of a rule that cannot be read; `says` where it says nothing. */
export function ruleFaults(draft: RuleDraft, currency: string): string[] {
  const { from, last, price, minNights, minThrough, kept } = draft;
  const faults: string[] = [];
  if (from !== "" && last !== "" && last < from) faults.push("last");
  if (price.trim() !== "" && readAmount(price, currency) === null) faults.push("price");
  for (const [name, text] of Object.entries({ minNights, minThrough }))
    if (text.trim() !== "" && readWhole(text, 1, STAY_MAX) === null) faults.push(name);
  const isSaid = [price, minNights, minThrough].some((text) => text.trim() !== "");
  const isShut = draft.isClosed || draft.noArrival || draft.noDeparture;
  const saysMore = Object.values(kept).some((value) => value !== null);
  if (!isSaid && !isShut && !saysMore) faults.push("says");
  return faults;
}

export function ruleOf(draft: RuleDraft, currency: string): NightRule {
  const price = readAmount(draft.price, currency);
  const nights = readWhole(draft.minNights, 1, STAY_MAX);
  const through = readWhole(draft.minThrough, 1, STAY_MAX);
  return {
    ...draft.kept,
    ...(draft.from !== "" && { from: draft.from }),
    ...(draft.last !== "" && { to: moved(draft.last, 1) }),
    ...(draft.days.length > 0 && { days: [...draft.days] }),
    ...(price !== null && { price }),
    ...(nights !== null && { min_nights: nights }),
    ...(through !== null && { min_through: through }),
    ...(draft.isClosed && { closed: true }),
    ...(draft.noArrival && { closed_to_arrival: true }),
    ...(draft.noDeparture && { closed_to_departure: true }),
  };
}
