// Large sums of money in whole units.
import { decimalsOf } from "~/i18n/currencies";
import { money, number } from "~/i18n/format";

const SMALL = 1000;

/** Minor units as a large sum: 1234567 EUR is €12,346. */
export function wholeMoney(amount: number, currency: string): string {
  const units = amount / 10 ** decimalsOf(currency);
  if (Math.abs(units) < SMALL) return money(amount, currency);
  return number(units, {
    style: "currency",
    currency,
    minimumFractionDigits: 0,
    maximumFractionDigits: 0,
  });
}
