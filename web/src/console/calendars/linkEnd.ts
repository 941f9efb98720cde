// When a link to a calendar ends.

/** The longest that the API takes: ten years. */
const SECONDS_MAX = 315_360_000;

/** How many seconds from now (in milliseconds) a day begins, by the clock of the reader. */
export function secondsUntil(date: string, now: number): number {
  const seconds = Math.floor((new Date(`${date}T00:00`).getTime() - now) / 1000);
  return Math.min(seconds, SECONDS_MAX);
}
