// The days of a month in weeks, and steps between days and months, as texts YYYY-MM and YYYY-MM-DD.
import { addDays } from "../days";

/** Monday is 1, Sunday is 7. */
export function weekday(day: string): number {
  return new Date(`${day}T12:00:00Z`).getUTCDay() || 7;
}

export function isMonth(text: string): boolean {
  return /^[12]\d{3}-(0[1-9]|1[0-2])$/.test(text);
}

export function monthOf(day: string): string {
  return day.slice(0, 7);
}

export function addMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split("-").map(Number);
  const at = new Date(Date.UTC(year, number - 1 + count, 1));
  return at.toISOString().slice(0, 7);
}

export function lastDayOf(month: string): string {
  return addDays(`${addMonths(month, 1)}-01`, -1);
}

/** Whole weeks from the first day of the week; days of other months are null. */
export function weeksOf(month: string, firstWeekday: number): (string | null)[][] {
  const first = `${month}-01`;
  const before = (weekday(first) - firstWeekday + 7) % 7;
  const last = lastDayOf(month);
  const weeks: (string | null)[][] = [];
  for (let start = addDays(first, -before); start <= last; start = addDays(start, 7)) {
    const days = Array.from({ length: 7 }, (_, index) => addDays(start, index));
    weeks.push(days.map((day) => (monthOf(day) === month ? day : null)));
  }
  return weeks;
}

type Week = { firstDay: number; weekend: readonly number[] };
type Knowing = { getWeekInfo?: () => Week; weekInfo?: Week };

/** The week of a region: its first day, and which are free. Monday is 1. */
export function weekIn(locale: string): Week {
  const known: Intl.Locale & Knowing = new Intl.Locale(locale);
  return known.getWeekInfo?.() ?? known.weekInfo ?? { firstDay: 1, weekend: [6, 7] };
}

/** The day of the month to which a key moves, and undefined for every other key. */
export function dayAfterKey(key: string, day: string, isRtl: boolean): string | undefined {
  const along = isRtl ? -1 : 1;
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: along,
    ArrowLeft: -along,
    ArrowUp: -7,
    ArrowDown: 7,
  };
  const step = steps[key];
  if (step !== undefined) return addDays(day, step);
  if (key === "Home") return `${monthOf(day)}-01`;
  if (key === "End") return lastDayOf(monthOf(day));
  if (key === "PageUp" || key === "PageDown") {
    const month = addMonths(monthOf(day), key === "PageUp" ? -1 : 1);
    const same = `${month}${day.slice(7)}`;
    return same > lastDayOf(month) ? lastDayOf(month) : same;
  }
  return undefined;
}
