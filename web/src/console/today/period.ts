// The periods of the overview, in this device's time zone.

export const PERIODS = ["hour", "today", "day", "week"] as const;
export type Period = (typeof PERIODS)[number];

const HOUR_MS = 3_600_000;
const HOURS = { hour: 1, day: 24, week: 7 * 24 } as const;

/** The start of a period that ends now; today starts at midnight. */
export function periodStart(period: Period, now: Date): Date {
  if (period === "today") return new Date(now.getFullYear(), now.getMonth(), now.getDate());
  return new Date(now.getTime() - HOURS[period] * HOUR_MS);
}

export function isPeriod(text: string): text is Period {
  return PERIODS.some((period) => period === text);
}

/** The start and end of a calendar day; null for an invalid one. */
export function dayBounds(day: string): { from: string; to: string } | null {
  const found = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  if (found === null) return null;
  const [year, month, date] = [Number(found[1]), Number(found[2]), Number(found[3])];
  const from = new Date(year, month - 1, date);
  if (from.getMonth() !== month - 1 || from.getDate() !== date) return null;
  return { from: from.toISOString(), to: new Date(year, month - 1, date + 1).toISOString() };
}
