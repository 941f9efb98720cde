// Times by the clocks of a venue, as fields of a form have them ("2030-03-07T20:00"): no offset, so
// that what is typed is what stands on the ticket, wherever the operator is.

/** A moment by the clocks of a zone. */
export function clockTime(moment: string, zone: string): string {
  const parts = new Intl.DateTimeFormat("en-CA", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  }).formatToParts(new Date(moment));
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? "";
  return `${part("year")}-${part("month")}-${part("day")}T${part("hour")}:${part("minute")}`;
}

export const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

const DAY_MS = 86_400_000;

/** The day of the week of a date ("2030-03-07"). */
export function weekdayOf(date: string): Weekday {
  return WEEKDAYS[(new Date(`${date}T00:00Z`).getUTCDay() + 6) % 7] ?? "mon";
}

/** All times at `clock` on these days of the week, after one date and until another; at most `most`. */
export function weeklyTimes(
  after: string,
  until: string,
  days: readonly Weekday[],
  clock: string,
  most: number,
): string[] {
  const times: string[] = [];
  const last = Date.parse(`${until}T00:00Z`);
  for (let at = Date.parse(`${after}T00:00Z`) + DAY_MS; at <= last; at += DAY_MS) {
    const date = new Date(at).toISOString().slice(0, 10);
    if (days.includes(weekdayOf(date))) times.push(`${date}T${clock}`);
    if (times.length >= most) break;
  }
  return times;
}

/** A time of a form as a time that can be shown in no zone but its own. */
export function shownAsUtc(time: string): string {
  return `${time}Z`;
}
