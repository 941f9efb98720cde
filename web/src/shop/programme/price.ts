// Prices in words: what costs nothing is free.
import type { TFunction } from "i18next";
import { money } from "~/i18n/format";

export function priceWords(
  t: TFunction<"shop_events">,
  amount: number,
  currency: string,
  isLowest = false,
): string {
  if (amount === 0) return t("free");
  const price = money(amount, currency);
  return isLowest ? t("from_price", { price }) : price;
}
