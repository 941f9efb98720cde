// The form of a date: a performance as fields, what cannot be read of them, and the calls to make.
import type { Hall, NewPerformance, Performance, PerformanceChange } from "~/api/schema";
import { readAmount, readWhole, writeAmount } from "./amounts";
import { clockTime } from "./clocks";
import { changed } from "../saving/changes";
import { readTranslations, type Translated, writeTranslations } from "~/translations/translated";
import { type TermsDraft, termsDraft, termsFaults, termsPricing, termsTexts } from "./terms";

export const PAYMENTS = ["required", "at_venue", "none"] as const;
export type Payment = (typeof PAYMENTS)[number];

export type DateDraft = {
  readonly hall: string;
  /** As `2030-03-07T20:00`, by the clocks of the venue; so are the others. */
  readonly starts: string;
  readonly minutes: string;
  readonly doors: string;
  readonly opens: string;
  readonly closes: string;
  readonly currency: string;
  readonly isFree: boolean;
  /** By the code of the category, in whole units. */
  readonly prices: Readonly<Record<string, string>>;
  readonly payment: Payment;
  readonly terms: TermsDraft;
  readonly limit: string;
  readonly holdMinutes: string;
  readonly note: string;
  /** The note, and the names of fees and taxes. */
  readonly translated: Translated;
};

/** What guests read of it, by the names of the fields. */
export function dateTexts({ note, terms }: Pick<DateDraft, "note" | "terms">) {
  const texts = [["note", note.trim()] as const, ...termsTexts(terms)];
  return Object.fromEntries(texts.filter(([, text]) => text !== ""));
}

const LIMIT_USUAL = "10";
const HOLD_USUAL = "10";
const LIMIT_MAX = 1_000_000;
const HOLD_MAX = 1440;
const MINUTES_MAX = 1440;
const MINUTE_SECONDS = 60;

export function newDateDraft(
  currency: string,
  minutes: number | null,
  like?: Performance,
): DateDraft {
  if (like !== undefined)
    return { ...dateDraft(like), starts: "", doors: "", opens: "", closes: "" };
  return {
    hall: "",
    starts: "",
    minutes: minutes === null ? "" : String(minutes),
    doors: "",
    opens: "",
    closes: "",
    currency,
    isFree: false,
    prices: {},
    payment: "required",
    terms: termsDraft(null, currency),
    limit: LIMIT_USUAL,
    holdMinutes: HOLD_USUAL,
    note: "",
    translated: {},
  };
}

export function dateDraft(of: Performance): DateDraft {
  const { currency, time_zone: zone } = of;
  const clock = (moment: string | null) => (moment === null ? "" : clockTime(moment, zone));
  const terms = termsDraft(of.pricing, currency);
  const typed = dateTexts({ note: of.note, terms });
  const lasting = Date.parse(of.ends_at) - Date.parse(of.starts_at);
  return {
    hall: of.hall.id,
    starts: clock(of.starts_at),
    minutes: String(Math.round(lasting / 60_000)),
    doors: clock(of.doors_at),
    opens: clock(of.opens_at),
    // The end of sale at its beginning is the usual one, which goes along when it moves.
    closes: of.closes_at === of.starts_at ? "" : clock(of.closes_at),
    currency,
    isFree: of.categories.every(({ price }) => !price),
    prices: Object.fromEntries(
      of.categories.map(({ code, price }) => [code, price ? writeAmount(price, currency) : "0"]),
    ),
    payment: of.payment,
    terms,
    limit: of.owner_limit === null ? "" : String(of.owner_limit),
    holdMinutes: String(of.hold_seconds / MINUTE_SECONDS),
    note: of.note,
    translated: readTranslations(of.translations ?? [], typed),
  };
}

type Categories = Hall["categories"];

/** The names of the fields that cannot be read, with those of the categories as "prices.CODE". */
export function dateFaults(draft: DateDraft, categories: Categories): string[] {
  const faults: string[] = [];
  if (draft.hall === "") faults.push("hall");
  if (draft.starts === "") faults.push("starts");
  if (readWhole(draft.minutes, 1, MINUTES_MAX) === null) faults.push("minutes");
  if (!/^[A-Za-z]{3}$/u.test(draft.currency.trim())) faults.push("currency");
  if (!draft.isFree)
    for (const { code } of categories)
      if (readAmount(draft.prices[code] ?? "", draft.currency) === null)
        faults.push(`prices.${code}`);
  if (draft.limit !== "" && readWhole(draft.limit, 1, LIMIT_MAX) === null) faults.push("limit");
  if (readHold(draft.holdMinutes) === null) faults.push("holdMinutes");
  return [...faults, ...termsFaults(draft.terms, draft.currency)];
}

/** Seconds of minutes, of which there may be a half. */
export function readHold(text: string): number | null {
  const minutes = Number(text);
  return text.trim() !== "" && minutes > 0 && minutes <= HOLD_MAX
    ? Math.round(minutes * MINUTE_SECONDS)
    : null;
}

/** What a performance is made of or changed to. */
function said(
  draft: DateDraft,
  categories: Categories,
  before: Performance | undefined,
  now = before,
) {
  const currency = draft.currency.trim().toUpperCase();
  const prices = categories.map(({ code }): [string, number] => [
    code,
    draft.isFree ? 0 : (readAmount(draft.prices[code] ?? "", currency) ?? 0),
  ]);
  const hold = readHold(draft.holdMinutes) ?? 0;
  return {
    starts_at: draft.starts,
    minutes: readWhole(draft.minutes, 1, MINUTES_MAX) ?? 1,
    doors_at: draft.doors || null,
    opens_at: draft.opens || null,
    closes_at: draft.closes || null,
    prices: Object.fromEntries(prices),
    payment: draft.isFree ? ("none" as const) : draft.payment,
    pricing: termsPricing(draft.terms, currency, now?.pricing),
    owner_limit: draft.limit === "" ? null : readWhole(draft.limit, 1, LIMIT_MAX),
    hold_seconds: hold,
    hold_seconds_max: hold * 3,
    note: draft.note.trim(),
    // Those of the questions stay as they are.
    translations: writeTranslations(
      draft.translated,
      dateTexts(draft),
      before === undefined ? {} : dateTexts(dateDraft(before)),
      now?.translations ?? [],
    ),
  };
}

export function newPerformance(
  production: string,
  draft: DateDraft,
  categories: Categories,
  like?: Performance,
): NewPerformance {
  const currency = draft.currency.trim().toUpperCase();
  return {
    production,
    hall: draft.hall,
    currency,
    published: false,
    questions: like?.questions ?? [],
    ...said(draft, categories, like),
  };
}

/** Only what was changed since `before`: the rest stays as it is `now`, also where it was made elsewhere. */
export function performanceChange(
  before: Performance,
  draft: DateDraft,
  now = before,
): PerformanceChange {
  const { categories } = now;
  const began = said(dateDraft(before), categories, before, now);
  const changes = changed(began, said(draft, categories, before, now));
  // The longest hold follows the usual one only where that is changed.
  if (!("hold_seconds" in changes)) delete changes["hold_seconds_max"];
  return changes;
}
