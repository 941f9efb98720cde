// Nights from a first to a last, if wished only on some days of the week.
import { type Weekday, weekdayOf } from "../programme/clocks";
import { dayAfter, isDay } from "../reports/days";

const DAY_MS = 86_400_000;

/** How many nights there are from a day until before another. */
export function nightsBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00Z`) - Date.parse(`${from}T00:00Z`)) / DAY_MS);
}

/** The nights from a first to a last, both included; without days, all of them. At most `most` days. */
export function nightsOf(
  from: string,
  last: string,
  days: readonly Weekday[],
  most: number,
): string[] {
  if (!isDay(from) || !isDay(last)) return [];
  const count = Math.min(nightsBetween(from, last) + 1, most);
  return Array.from({ length: Math.max(count, 0) }, (_, at) => dayAfter(from, at)).filter(
    (night) => days.length === 0 || days.includes(weekdayOf(night)),
  );
}
