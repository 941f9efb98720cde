// Dates in the time zone of a place, as texts YYYY-MM-DD.

const formats = new Map<string, Intl.DateTimeFormat>();

/** The date in a zone; an unknown zone counts as UTC. */
export function dateIn(zone: string, at: Date): string {
  let format = formats.get(zone);
  if (format === undefined) {
    format = dateFormat(zone);
    formats.set(zone, format);
  }
  return format.format(at);
}

function dateFormat(zone: string): Intl.DateTimeFormat {
  const options = { year: "numeric", month: "2-digit", day: "2-digit" } as const;
  try {
    // en-CA writes dates as ISO 8601 does.
    return new Intl.DateTimeFormat("en-CA", { ...options, timeZone: zone });
  } catch {
    return new Intl.DateTimeFormat("en-CA", { ...options, timeZone: "UTC" });
  }
}

export function addDays(date: string, days: number): string {
  const at = new Date(`${date}T12:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}

export function daysFrom(zone: string, now: Date, count: number): string[] {
  const today = dateIn(zone, now);
  return Array.from({ length: count }, (_, index) => addDays(today, index));
}

/** Noon UTC of a date, to format it with `timeZone: "UTC"`. */
export function noonOf(date: string): Date {
  return new Date(`${date}T12:00:00Z`);
}

export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = new Date(`${text}T12:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}
