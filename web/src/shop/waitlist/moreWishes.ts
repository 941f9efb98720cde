// What a party says beyond the show itself: other dates of the list, what it may cost, and until when it is
// wanted; from what was typed to what the API takes.
import type { WaitlistWish } from "~/api/schema";
import { decimalsOf } from "~/i18n/currencies";

/** As it was typed: empty where nothing was. */
export type MoreWish = {
  readonly others: readonly string[];
  readonly price: string;
  readonly until: string;
};
export type Fault = "price" | "until";

export const NOTHING_MORE: MoreWish = { others: [], price: "", until: "" };
// The API takes up to twenty places, of which the show itself is one.
const OTHERS_MAX = 19;
const PRICE_DIGITS_MAX = 12;
const PRICE_MAX = 1_000_000_000_000;
// A browser takes years of six digits, and the API those of four.
const LATEST = Date.UTC(9999, 11, 31);
const ARABIC_ZERO = 0x660;

/** The other dates that are asked about. */
export function othersOf(resourceIds: readonly string[], own: string): string[] {
  return resourceIds.filter((id) => id !== own).slice(0, OTHERS_MAX);
}

/** An amount in minor units from what was typed, with a point or a comma; null if it is none. */
export function amountOf(typed: string, currency: string): number | null {
  const text = typed
    .trim()
    .replaceAll(/[٠-٩]/g, (digit) => String((digit.codePointAt(0) ?? 0) - ARABIC_ZERO))
    .replaceAll(/[,٫]/g, ".");
  const found = /^(\d+)(?:\.(\d+))?$/.exec(text);
  if (found === null) return null;
  const [, whole = "", part = ""] = found;
  const decimals = decimalsOf(currency);
  if (whole.length > PRICE_DIGITS_MAX || part.length > decimals) return null;
  const amount = Number(whole + part.padEnd(decimals, "0"));
  return amount > PRICE_MAX ? null : amount;
}

/** What is wrong with it, at a time of the server. */
export function faultsOf(more: MoreWish, currency: string, now: number): Fault[] {
  const isPriceWrong = more.price.trim() !== "" && amountOf(more.price, currency) === null;
  const until = Date.parse(more.until);
  const isUntilWrong = more.until !== "" && !(until > now && until < LATEST);
  return [...(isPriceWrong ? ["price" as const] : []), ...(isUntilWrong ? ["until" as const] : [])];
}

/** Its parts of the request. The show itself comes first, because places are tried in their order. */
export function wishOf(
  more: MoreWish,
  own: string,
  currency: string,
): { wish: Pick<WaitlistWish, "places" | "price_max">; until?: string } {
  const price = amountOf(more.price, currency);
  const until = Date.parse(more.until);
  return {
    wish: {
      places: [own, ...more.others].map((id) => ({ resource_id: id })),
      ...(price !== null && { price_max: price }),
    },
    ...(until < LATEST && { until: new Date(until).toISOString() }),
  };
}
