// The form of new shows: the times that it makes, what cannot be read of it, and each call to make.
// A show is known by its screen and its time, so that one that is said again is made once.
import type { NewShow } from "~/api/schema";
import { readAmount } from "../programme/amounts";
import { type Weekday, WEEKDAYS, weekdayOf } from "../programme/clocks";
import type { Payment } from "../programme/dateDraft";
import { type Category, priceOf, type Prices } from "./categories";

export const SHOWS_MAX = 100;
export const CLOCKS_MAX = 6;
const DAY_MS = 86_400_000;

export type ShowDraft = {
  readonly screen: string;
  /** As `2030-03-07`; `until` is empty where it is shown on one day. */
  readonly from: string;
  readonly until: string;
  /** None of them: every day. */
  readonly days: readonly Weekday[];
  /** As `19:30`. */
  readonly clocks: readonly string[];
  readonly language: string;
  readonly subtitles: string;
  readonly format: string;
  readonly prices: Prices;
  readonly payment: Payment;
};

export const NEW_SHOWS: ShowDraft = {
  screen: "",
  from: "",
  until: "",
  days: [],
  clocks: [""],
  language: "",
  subtitles: "",
  format: "2D",
  prices: {},
  payment: "required",
};

/** All beginnings by the clocks of the city, in their order; at most SHOWS_MAX. */
export function showTimes({ from, until, days, clocks }: ShowDraft): string[] {
  if (from === "") return [];
  const hours = [...new Set(clocks.filter((clock) => clock !== ""))].sort();
  const wanted = until === "" || days.length === 0 ? WEEKDAYS : days;
  const last = Date.parse(`${until === "" ? from : until}T00:00Z`);
  const times: string[] = [];
  for (let at = Date.parse(`${from}T00:00Z`); at <= last; at += DAY_MS) {
    const date = new Date(at).toISOString().slice(0, 10);
    if (wanted.includes(weekdayOf(date))) times.push(...hours.map((hour) => `${date}T${hour}`));
    if (times.length >= SHOWS_MAX) break;
  }
  return times.slice(0, SHOWS_MAX);
}

export function showFaults(
  draft: ShowDraft,
  categories: readonly Category[],
  currency: string,
): string[] {
  const faults: string[] = [];
  if (draft.screen === "") faults.push("screen");
  if (draft.from === "") faults.push("from");
  if (draft.until !== "" && draft.until < draft.from) faults.push("until");
  if (draft.clocks.every((clock) => clock === "")) faults.push("clock");
  if (draft.language.trim() === "") faults.push("language");
  if (draft.format.trim() === "") faults.push("format");
  for (const category of categories) {
    if (readAmount(priceOf(draft.prices, category), currency) === null)
      faults.push(`prices.${category.name}`);
  }
  return faults;
}

export function newShow(
  film: string,
  draft: ShowDraft,
  categories: readonly Category[],
  currency: string,
  startsAt: string,
): NewShow {
  const prices = categories.flatMap((category) => {
    const amount = readAmount(priceOf(draft.prices, category), currency);
    return amount === null ? [] : [[category.name, amount] as const];
  });
  const subtitles = draft.subtitles.trim();
  return {
    film,
    screen: draft.screen,
    starts_at: startsAt,
    language: draft.language.trim(),
    subtitles: subtitles === "" ? null : subtitles,
    format: draft.format.trim(),
    prices: Object.fromEntries(prices),
    payment: draft.payment,
    published: false,
  };
}
