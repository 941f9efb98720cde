// Days as the API names them: `2030-01-05`.

const DAY_MS = 86_400_000;
/** As many as a report has at most. */
export const DAYS_MAX = 366;

/** The day of a moment by the clocks of this browser. */
export function dayOf(moment: Date): string {
  const at = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000);
  return at.toISOString().slice(0, 10);
}

/** So many days later, or earlier; what is no day stays as it is. */
export function dayAfter(day: string, days: number): string {
  const at = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(at) ? day : new Date(at + days * DAY_MS).toISOString().slice(0, 10);
}

/** How many days there are from one to another, both of them within. */
export function daysWithin(first: string, last: string): number {
  return (Date.parse(`${last}T00:00:00Z`) - Date.parse(`${first}T00:00:00Z`)) / DAY_MS + 1;
}

/** The month that a day is in, or so many months later. */
export function monthOf(day: string, months = 0): { first: string; last: string } {
  const [year = 1970, month = 1] = day.split("-").map(Number);
  const at = (more: number, date: number) =>
    new Date(Date.UTC(year, month - 1 + months + more, date)).toISOString().slice(0, 10);
  return { first: at(0, 1), last: at(1, 0) };
}

/** The year that a day is in, or so many years later. */
export function yearOf(day: string, years = 0): { first: string; last: string } {
  const year = Number(day.slice(0, 4)) + years;
  return { first: `${year}-01-01`, last: `${year}-12-31` };
}

export function isDay(text: string | null): text is string {
  return text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && dayAfter(text, 0) === text;
}
