// A stay in a calendar of nights: on which days it can begin and end. The server says of each night how long a
// stay from it can be, by the rules and by what is free.
import type { CalendarNight } from "~/api/schema";
import { addDays, isDate } from "../days";

/** From the day of arrival until the day of departure; "" where none is chosen yet. */
export type Range = { start: string; end: string };
export type Calendar = ReadonlyMap<string, CalendarNight>;

export const NO_RANGE: Range = { start: "", end: "" };
const DAY_MS = 86_400_000;

export function nightsOf({ start, end }: Range): number {
  if (!isDate(start) || !isDate(end)) return 0;
  return Math.max(0, Math.round((Date.parse(end) - Date.parse(start)) / DAY_MS));
}

export function calendarOf(nights: readonly CalendarNight[]): Calendar {
  return new Map(nights.map((night) => [night.date, night]));
}

export function canArrive(night: CalendarNight | undefined): boolean {
  return night?.arrive === true;
}

/** Whether a stay from this night can have so many nights. */
export function canStay(night: CalendarNight | undefined, nights: number): boolean {
  if (night?.arrive !== true || nights < 1) return false;
  const lengths = night.lengths ?? [];
  if (lengths.length > 0) return lengths.some(([least, most]) => least <= nights && nights <= most);
  return (night.min_nights ?? 1) <= nights && nights <= (night.max_nights ?? Infinity);
}

/** Whether a stay cannot be had because of what others have: a night is taken in too many rooms, or no room is free
 *  in all nights. What a rule of the house does not sell is not taken. */
export function isTaken(calendar: Calendar, range: Range, rooms: number): boolean {
  const count = nightsOf(range);
  const first = calendar.get(range.start);
  const nights = Array.from({ length: count }, (_, at) => calendar.get(addDays(range.start, at)));
  const known = nights.filter((night) => night !== undefined && night.closed !== true);
  if (first === undefined || known.length < count || canStay(first, count)) return false;
  if (known.some((night) => (night?.free ?? 0) < rooms)) return true;
  return canArrive(first) && count >= (first.min_nights ?? 1);
}

/** What a day of the calendar is good for, while a range is chosen. */
export type DayUse = "arrival" | "departure" | "none";

export function dayUse(day: string, calendar: Calendar, { start, end }: Range): DayUse {
  // A departure is looked for first: the day is often no arrival.
  if (start !== "" && end === "" && day > start) {
    const isEnd = canStay(calendar.get(start), nightsOf({ start, end: day }));
    return isEnd ? "departure" : "none";
  }
  return canArrive(calendar.get(day)) ? "arrival" : "none";
}

/** The range after a day was chosen, and the one before where the day is good for nothing. */
export function withDay(day: string, calendar: Calendar, range: Range): Range {
  const use = dayUse(day, calendar, range);
  if (use === "departure") return { start: range.start, end: day };
  if (use === "arrival") return { start: day, end: "" };
  // Who chose an arrival and finds no departure begins anew elsewhere.
  return canArrive(calendar.get(day)) ? { start: day, end: "" } : range;
}

/** A range of the search, where every day from today on will do. */
export function freeRange(day: string, today: string, { start, end }: Range): Range {
  if (day < today) return { start, end };
  return start !== "" && end === "" && day > start ? { start, end: day } : { start: day, end: "" };
}
