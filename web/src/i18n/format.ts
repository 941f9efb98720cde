// Formats numbers, money and times in the language of the page and the visitor's region. Formatters
// are cached, because making one is slow.
import i18next from "i18next";
import { decimalsOf, moneyOptions } from "./currencies";
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
  return cached(Intl.NumberFormat, moneyOptions(currency)).format(
    amount / 10 ** decimalsOf(currency),
  );
}

/** What stands between the parts of a list in the language of the page. */
export function comma(): string {
  return i18next.language?.startsWith("ar") ? "، " : ", ";
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

/** A time in the time zone of an event, which is named where this device's clocks show another. */
export function eventTime(
  value: string,
  options: Intl.DateTimeFormatOptions | undefined,
  timeZone: string,
): string {
  const shown = dateTime(value, options, timeZone);
  const zone = foreignZone(value, timeZone);
  return zone === null ? shown : `${shown} (${zone})`;
}

/** The name of the time zone of an event, where this device's clocks show another time; else null. */
export function foreignZone(value: string, timeZone: string): string | null {
  return isLocalTime(value, timeZone) ? null : zoneName(value, timeZone);
}

function isLocalTime(value: string, timeZone: string): boolean {
  const clock = { dateStyle: "short", timeStyle: "short" } as const;
  return dateTime(value, clock, timeZone) === dateTime(value, clock);
}

const CLOCK = { dateStyle: "short", timeStyle: "medium" } as const;
const HALF_HOUR_MS = 1_800_000;

/** A time in a time zone, with its offset where the clocks there show it twice because they go back. */
export function tellingTime(
  value: string | Date,
  options: Intl.DateTimeFormatOptions,
  timeZone: string,
): string {
  const at = new Date(value);
  const clock = (ms: number) => dateTime(new Date(at.getTime() + ms), CLOCK, timeZone);
  const aside = [-2, -1, 1, 2].map((halves) => clock(halves * HALF_HOUR_MS));
  const shown = dateTime(at, options, timeZone);
  return aside.includes(clock(0)) ? `${shown} (${offsetName(at, timeZone)})` : shown;
}

function offsetName(at: Date, timeZone: string): string {
  const format = cached(Intl.DateTimeFormat, { timeZone, timeZoneName: "shortOffset" });
  return format.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? "";
}

/** What the clocks of a zone go by: "Central European Standard Time". */
export function zoneName(value: string, timeZone: string): string {
  const format = cached(Intl.DateTimeFormat, { timeZone, timeZoneName: "long" });
  const name = format.formatToParts(new Date(value)).find(({ type }) => type === "timeZoneName");
  return name?.value ?? timeZone;
}

const LONG = { dateStyle: "full", timeStyle: "short" } as const;

/** The time of an event with the day of the week. */
export function longTime(value: string, timeZone: string): string {
  return eventTime(value, LONG, timeZone);
}

/** A length of time in one unit, in the words of the language: 3 minutes. */
export function lasting(
  value: number,
  unit: "hour" | "minute" | "second",
  unitDisplay: "short" | "long" = "long",
): string {
  return number(value, { style: "unit", unit, unitDisplay });
}

/** Minutes as hours and minutes: 131 is 2 h 11 min, in the words of the language. */
export function duration(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  if (hours === 0) return lasting(rest, "minute", "short");
  const whole = lasting(hours, "hour", "short");
  return rest === 0 ? whole : `${whole} ${lasting(rest, "minute", "short")}`;
}
