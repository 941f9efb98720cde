// Large sums of money in whole units.
import { money, number } from "~/i18n/format";

const SMALL = 1000;

/** Minor units as a large sum: 1234567 EUR is €12,346. */
export function wholeMoney(amount: number, currency: string): string {
  const { maximumFractionDigits: digits = 2 } = new Intl.NumberFormat("en", {
    style: "currency",
    currency,
  }).resolvedOptions();
  const units = amount / 10 ** digits;
  if (Math.abs(units) < SMALL) return money(amount, currency);
  return number(units, { style: "currency", currency, maximumFractionDigits: 0 });
}
