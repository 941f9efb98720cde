// Prices in words: what costs nothing is free.
import type { TFunction } from "i18next";
import type { Team } from "~/api/schema";
import { money } from "~/i18n/format";

type T = TFunction<"shop_appointments">;

export function priceWords(t: T, amount: number, currency: string): string {
  return amount === 0 ? t("free_of_charge") : money(amount, currency);
}

/** The lowest price, said as such where services differ: not all of them are free then. */
export function fromPrice(t: T, team: Pick<Team, "services" | "currency" | "price_from">): string {
  const prices = new Set(team.services.map(({ price }) => price));
  if (prices.size < 2) return priceWords(t, team.price_from, team.currency);
  return t("from_price", { price: money(team.price_from, team.currency) });
}

/** Whether fees, or taxes that are not in it, come on top of a price. A share of nothing is nothing. */
export function hasMore(price: number, { pricing }: Pick<Team, "pricing">): boolean {
  const { fees = [], taxes = [] } = pricing ?? {};
  if (fees.some(({ amount = 0 }) => amount > 0)) return true;
  const isOnTop = taxes.some(
    ({ included, basis_points: share = 0 }) => included !== true && share > 0,
  );
  return price > 0 && (fees.length > 0 || isOnTop);
}
