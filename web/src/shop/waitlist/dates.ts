// The nights that a party waits for, from what was typed: the stay itself, and other arrivals for as many nights.
import type { WantedPlace } from "~/api/schema";
import { addDays, isDate } from "../days";

/** Both days as they were typed; the stay is from the first until the second. */
export type Stay = { readonly start: string; readonly end: string };
export type StayFault = "start" | "end" | "guests" | "others";

/** So many beginnings beside the first are asked about. */
export const OTHERS_MAX = 4;
const NIGHTS_MAX = 366;
const WEEK = 7;
const DAY_MS = 86_400_000;

/** How many nights it has; 0 where it is none. */
export function lengthOf({ start, end }: Stay): number {
  if (!isDate(start) || !isDate(end)) return 0;
  return Math.max(0, Math.round((Date.parse(end) - Date.parse(start)) / DAY_MS));
}

/** A stay of as many nights from another day on. */
export function movedTo(start: string, stay: Stay): Stay {
  return { start, end: isDate(start) ? addDays(start, lengthOf(stay)) : "" };
}

/** What another arrival is at first: a week after the last that there is. */
export function nextArrival(stay: Stay, others: readonly string[]): string {
  const last = [stay.start, ...others].filter(isDate).toSorted().at(-1);
  return last === undefined ? "" : addDays(last, WEEK);
}

type Typed = {
  readonly stay: Stay;
  readonly others: readonly string[];
  readonly guests: number;
};

/** What is wrong with what was typed. `guestsMax` is how many fit in, where that is known. */
export function stayFaults(
  { stay, others, guests }: Typed,
  today: string,
  guestsMax: number | null,
): StayFault[] {
  const nights = lengthOf(stay);
  const isDay = (day: string) => isDate(day) && day >= today && day < "9900";
  const areGuests = Number.isInteger(guests) && guests >= 1 && guests <= (guestsMax ?? 10_000);
  return [
    ...(isDay(stay.start) ? [] : ["start" as const]),
    ...(nights >= 1 && nights <= NIGHTS_MAX ? [] : ["end" as const]),
    ...(areGuests ? [] : ["guests" as const]),
    ...(others.every(isDay) ? [] : ["others" as const]),
  ];
}

/** The places of the wish: the stay itself, then the others in the order of their days. */
export function stayPlaces(
  resourceId: string,
  stay: Stay,
  others: readonly string[],
): WantedPlace[] {
  const stays = [stay, ...others.toSorted().map((day) => movedTo(day, stay))];
  return stays.map(({ start, end }) => ({ resource_id: resourceId, from: start, to: end }));
}
