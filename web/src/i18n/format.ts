// Formats numbers, money and times in the language of the page and the visitor's region. Formatters
// are cached, because making one is slow.
import i18next from "i18next";
import { regional } from "./region";

const formats = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>();

/** The formatter of a kind with these options, made once for each language. */
function cached<Format extends Intl.NumberFormat | Intl.DateTimeFormat, Options>(
  kind: new (locale: string, options: Options) => Format,
  options: Options,
): Format {
  const locale = regional(i18next.language || "en");
  const key = `${kind.name} ${locale} ${JSON.stringify(options)}`;
  const known = formats.get(key);
  if (known instanceof kind) return known;
  const made = new kind(locale, options);
  formats.set(key, made);
  return made;
}

/** Minor units of a currency as people write them: 1250 EUR is €12.50. */
export function money(amount: number, currency: string): string {
  const format = cached(Intl.NumberFormat, { style: "currency", currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(amount / 10 ** digits);
}

export function number(value: number, options: Intl.NumberFormatOptions = {}): string {
  return cached(Intl.NumberFormat, options).format(value);
}

/** A time in a time zone; without one, in this device's. */
export function dateTime(
  value: string | Date,
  options: Intl.DateTimeFormatOptions = { dateStyle: "medium", timeStyle: "short" },
  timeZone?: string | null,
): string {
  const format = cached(Intl.DateTimeFormat, timeZone ? { ...options, timeZone } : options);
  return format.format(typeof value === "string" ? new Date(value) : value);
}

const LONG = { dateStyle: "full", timeStyle: "short" } as const;

/** The same with the day of the week. */
export function longTime(value: string | Date, timeZone?: string | null): string {
  return dateTime(value, LONG, timeZone);
}

/** Minutes as hours and minutes: 131 is 2 h 11 min, in the words of the language. */
export function duration(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  const unit = (value: number, name: "hour" | "minute") =>
    number(value, { style: "unit", unit: name, unitDisplay: "short" });
  if (hours === 0) return unit(rest, "minute");
  return rest === 0 ? unit(hours, "hour") : `${unit(hours, "hour")} ${unit(rest, "minute")}`;
}
