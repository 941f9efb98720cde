// Days as the API names them: `2030-01-05`.

const DAY_MS = 86_400_000;

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

export function isDay(text: string | null): text is string {
  return text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && dayAfter(text, 0) === text;
}
