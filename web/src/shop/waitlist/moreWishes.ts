// What a party says beyond what the page is about: other dates of the list, what it may cost, and until when it is
// wanted; from what was typed to what the API takes.
import type { WaitlistWish, WantedPlace } from "~/api/schema";
import { decimalsOf } from "~/i18n/currencies";

/** As it was typed: empty where nothing was. */
export type MoreWish = {
  readonly others: readonly string[];
  readonly price: string;
  readonly until: string;
};
export type Fault = "price" | "until";

export const NOTHING_MORE: MoreWish = { others: [], price: "", until: "" };
// The API takes up to twenty places, of which the page's own is one.
export const PLACES_MAX = 20;
const PRICE_DIGITS_MAX = 12;
const PRICE_MAX = 1_000_000_000_000;
// A browser takes years of six digits, and the API those of four.
const LATEST = Date.UTC(9999, 11, 31);
const ARABIC_ZERO = 0x660;

/** The other dates that are asked about, of a list in the order of its dates: those that come next after the page's
 *  own, then those nearest before it. */
export function othersOf(resourceIds: readonly string[], own: string): string[] {
  const at = resourceIds.indexOf(own);
  const before = resourceIds.slice(0, Math.max(0, at)).toReversed();
  return [...resourceIds.slice(at + 1), ...before].slice(0, PLACES_MAX - 1);
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

/** Its parts of the request. Places are tried in their order: the page's own come first, then the other dates, each
 *  with the range of the first where it has one. */
export function wishOf(
  more: MoreWish,
  own: readonly WantedPlace[],
  currency: string,
): { wish: Pick<WaitlistWish, "places" | "price_max">; until?: string } {
  const price = amountOf(more.price, currency);
  const until = Date.parse(more.until);
  const [first] = own;
  const others = more.others.map((id) => ({ ...first, resource_id: id }));
  return {
    wish: {
      places: eachOnce([...own, ...others]).slice(0, PLACES_MAX),
      ...(price !== null && { price_max: price }),
    },
    ...(until < LATEST && { until: new Date(until).toISOString() }),
  };
}

/** A place that comes twice is refused. */
function eachOnce(places: readonly WantedPlace[]): WantedPlace[] {
  const found = new Map<string, WantedPlace>();
  for (const place of places) {
    const key = JSON.stringify([place.resource_id, place.from, place.to]);
    if (!found.has(key)) found.set(key, place);
  }
  return [...found.values()];
}
