// Formats numbers, money and times in the language of the page and the visitor's region. Formatters
// are cached, because making one is slow.
import i18next from "i18next";
import { regional } from "./region";

const numbers = new Map<string, Intl.NumberFormat>();
const dates = new Map<string, Intl.DateTimeFormat>();

function locale(): string {
  return regional(i18next.language || "en");
}

/** Minor units of a currency as people write them: 1250 EUR is €12.50. */
export function money(amount: number, currency: string): string {
  const key = `${locale()} ${currency}`;
  let format = numbers.get(key);
  if (format === undefined) {
    format = new Intl.NumberFormat(locale(), { style: "currency", currency });
    numbers.set(key, format);
  }
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(amount / 10 ** digits);
}

export function number(value: number, options: Intl.NumberFormatOptions = {}): string {
  const key = `${locale()} ${JSON.stringify(options)}`;
  let format = numbers.get(key);
  if (format === undefined) {
    format = new Intl.NumberFormat(locale(), options);
    numbers.set(key, format);
  }
  return format.format(value);
}

/** A time in a time zone; without one, in this device's. */
export function dateTime(
  value: string | Date,
  options: Intl.DateTimeFormatOptions = { dateStyle: "medium", timeStyle: "short" },
  timeZone?: string | null,
): string {
  const full = timeZone ? { ...options, timeZone } : options;
  const key = `${locale()} ${JSON.stringify(full)}`;
  let format = dates.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(locale(), full);
    dates.set(key, format);
  }
  return format.format(typeof value === "string" ? new Date(value) : value);
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
