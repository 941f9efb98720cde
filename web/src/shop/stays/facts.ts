// Facts of a listing in words: beds, size, distances, clock times.
import i18next, { type TFunction } from "i18next";
import type { Beds } from "~/api/schema";
import { decimalsOf } from "~/i18n/currencies";
import { comma, dateTime, number } from "~/i18n/format";

/** A time of day as HH:MM, as the visitor's region writes it. */
export function clockTime(text: string): string {
  return dateTime(`2024-01-01T${text}:00Z`, { hour: "numeric", minute: "2-digit" }, "UTC");
}

export function bedWords(t: TFunction<"shop_stays">, beds: readonly Beds[]): string {
  return beds.map(({ kind, count = 1 }) => t(`beds.${kind}`, { count })).join(comma());
}

/** Metres as people say them: 350 m, 1.2 km. */
export function distance(metres: number): string {
  const isNear = metres < 1000;
  const value = isNear ? Math.round(metres / 50) * 50 : metres / 1000;
  const unit = isNear ? "meter" : "kilometer";
  const digits = isNear || value >= 10 ? 0 : 1;
  return number(value, { style: "unit", unit, maximumFractionDigits: digits });
}

/** The name of a country in the language of the page; "" for none. */
export function countryName(code: string | null): string {
  if (code === null) return "";
  const names = new Intl.DisplayNames(i18next.language || "en", { type: "region" });
  return names.of(code) ?? code;
}

/** Languages by their names in the language of the page: English, German. */
export function languageNames(codes: readonly string[]): string {
  const names = new Intl.DisplayNames(i18next.language || "en", { type: "language" });
  return codes.map((code) => names.of(code) ?? code).join(comma());
}

/** A price in little room: whole units, without the sign of the currency. */
export function shortPrice(amount: number, currency: string): string {
  return number(Math.round(amount / 10 ** decimalsOf(currency)), {
    notation: "compact",
    maximumFractionDigits: 1,
  });
}

/** A price in whole units, for where there is little room. */
export function roundPrice(amount: number, currency: string): string {
  const value = amount / 10 ** decimalsOf(currency);
  return number(value, { style: "currency", currency, maximumFractionDigits: 0 });
}
