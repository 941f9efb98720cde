// The times that a party may wait for on a day: each beginning with the ends that it can have, as the availability
// tells of them. Taken ones are what one waits for; what is closed, too near or too far ahead is left out.
import type { Availability, TimesAvailability, TimesPlan, WantedPlace } from "~/api/schema";

/** A beginning, and the ends that a range from it can have; instants as the API takes them. */
export type Beginning = { readonly from: string; readonly ends: readonly string[] };

type Reason = NonNullable<TimesAvailability["slots"][number]["reason"]>;
const NEVER: ReadonlySet<Reason> = new Set(["not_offered", "closed", "cutoff", "beyond_window"]);
const QUARTER_MS = 15 * 60_000;
// A day of quarters of an hour, each with a day's ends, is more than anybody looks through.
const ENDS_MAX = 96;

/** The beginnings of a day; none for what sells no times. */
export function beginningsOf(
  found: Availability,
  { consecutive_max: most = 1 }: Partial<Pick<TimesPlan, "consecutive_max">> = {},
): Beginning[] {
  if (found.type === "times") return ofSlots(found.slots, most);
  // The last of a day may be too near its close for any length that is offered.
  return found.type === "moments" ? ofMoments(found).filter(({ ends }) => ends.length > 0) : [];
}

function ofSlots(slots: TimesAvailability["slots"], most: number): Beginning[] {
  const sold = slots.filter(({ reason }) => !reason || !NEVER.has(reason));
  const endOf = new Map(sold.map(({ from, to }) => [Date.parse(from), to]));
  return sold.map(({ from }) => {
    const ends: string[] = [];
    // The next slot in a row begins where this one ends.
    let end = endOf.get(Date.parse(from));
    while (end !== undefined && ends.length < most) {
      ends.push(end);
      end = endOf.get(Date.parse(end));
    }
    return { from, ends };
  });
}

function ofMoments(found: Extract<Availability, { type: "moments" }>): Beginning[] {
  const raster = found.raster_seconds * 1000;
  const step = Math.max(1, Math.ceil(QUARTER_MS / raster)) * raster;
  const sale = rangeOf(found.on_sale ?? { from: found.from, to: found.from });
  return found.hours.flatMap((hours) => {
    const [open, close] = rangeOf(hours);
    const past = Math.min(close, sale[1]);
    // The sale may begin amid a step: the first that lies behind that.
    const first = open + Math.ceil(Math.max(0, sale[0] - open) / step) * step;
    const starts = steps(first, past - found.min_seconds * 1000, step);
    return starts.map((start) => {
      const least = start + Math.max(step, found.min_seconds * 1000);
      const ends = steps(least, Math.min(past, start + found.max_seconds * 1000), step);
      return { from: instant(start), ends: ends.slice(0, ENDS_MAX).map(instant) };
    });
  });
}

function rangeOf({ from, to }: { from: string; to: string }): [number, number] {
  return [Date.parse(from), Date.parse(to)];
}

/** From a time on, with the last one that is still allowed. */
function steps(first: number, last: number, step: number): number[] {
  const count = Math.max(0, Math.floor((last - first) / step) + 1);
  return Array.from({ length: count }, (_, index) => first + index * step);
}

function instant(at: number): string {
  return new Date(at).toISOString();
}

/** A time as it is chosen: the day, one of its beginnings, an end of that; "" where nothing is. */
export type Time = { readonly day: string; readonly from: string; readonly to: string };

/** Another day has other beginnings. */
export function withDay(time: Time, day: string): Time {
  return day === time.day ? time : { day, from: "", to: "" };
}

/** Another beginning, for as long as the one before where that can be. */
export function withFrom(time: Time, from: string, beginnings: readonly Beginning[]): Time {
  const ends = beginnings.find((one) => one.from === from)?.ends ?? [];
  const length = Date.parse(time.to) - Date.parse(time.from);
  const same = ends.find((end) => Date.parse(end) - Date.parse(from) === length);
  return { ...time, from, to: same ?? ends[0] ?? "" };
}

/** A wish for a range, at a service where the resource has some. */
export function placeOf(resourceId: string, rate: string, from: string, to: string): WantedPlace {
  return { resource_id: resourceId, from, to, ...(rate !== "" && { rate }) };
}
