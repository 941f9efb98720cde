// The calendar of the listings of a stay for the guest who changes it: their own nights are theirs to keep, and a day is
// good for what it is good for in all of them. What the rules of the house say of a stay that has some of their own
// nights, the server says when it is asked.
import { isRecord } from "~/api/client";
import type { BookingView, CalendarNight, Line, Quote } from "~/api/schema";
import { leftLines } from "../bookings/leftLines";
import { addDays, isDate } from "../days";
import type { Range } from "./range";

type Booked = Pick<BookingView, "lines">;

/** The lines of a booking for other nights, in whatever rooms. */
export function changedLines(booking: Booked, { start, end }: Range): Line[] {
  return leftLines(booking).map(({ resource_id, quantity, left, guests, ages, rate }) => ({
    resource_id,
    unit: null,
    quantity: quantity === null ? null : left,
    from: start,
    to: end,
    ...(guests !== undefined && { guests }),
    ...(ages !== undefined && { ages: [...ages] }),
    ...(rate !== undefined && { rate }),
  }));
}

/** The same lines to ask their price: in the rooms of now, because a price is asked of rooms whether they are free or
 *  not. */
export function pricedLines(booking: Booked, range: Range): Line[] {
  const left = leftLines(booking);
  return changedLines(booking, range).map((line, at) => ({
    ...line,
    unit: left[at]?.unit ?? null,
  }));
}

/** How many rooms a booking has of each of its listings, by the listing's id, in its order. */
export function roomsOf(booking: Booked): ReadonlyMap<string, number> {
  const rooms = new Map<string, number>();
  for (const { resource_id: id, left } of leftLines(booking)) {
    rooms.set(id, (rooms.get(id) ?? 0) + left);
  }
  return rooms;
}

/** From when until when a booking is; null where its lines differ, or are no stays. */
export function bookedRange(booking: Booked): Range | null {
  const [first, ...others] = leftLines(booking);
  if (!isDate(first?.from ?? "") || !isDate(first?.to ?? "")) return null;
  const isSame = others.every(({ from, to }) => from === first?.from && to === first?.to);
  return isSame ? { start: first?.from ?? "", end: first?.to ?? "" } : null;
}

/** The nights as the guest who has these of them may choose: one may arrive on each of their own, and stay as long as
 *  each night is free or theirs. */
export function withOwnNights(
  nights: readonly CalendarNight[],
  own: Range,
  rooms: number,
): CalendarNight[] {
  const isOwn = ({ date }: CalendarNight) => own.start <= date && date < own.end;
  const known = new Map(nights.map((night) => [night.date, night]));
  const isHad = (night: CalendarNight | undefined) =>
    night !== undefined && night.closed !== true && (isOwn(night) || night.free >= rooms);
  // From the last night on, how many nights in a row can be had from each.
  const runs = new Map<string, number>();
  for (const night of nights.toReversed()) {
    const after = runs.get(addDays(night.date, 1)) ?? 0;
    runs.set(night.date, isHad(night) ? after + 1 : 0);
  }
  return nights.map((night) => {
    const run = runs.get(night.date) ?? 0;
    const end = addDays(night.date, run);
    const meetsOwn = run > 0 && night.date < own.end && end > own.start;
    if (!meetsOwn) return night;
    const free = isOwn(night) ? Math.max(night.free, rooms) : night.free;
    const canBegin = night.arrive || isOwn(night) || known.get(night.date)?.reason === "min_stay";
    return { ...night, free, arrive: canBegin, lengths: [], max_nights: run };
  });
}

/** The nights of one listing, and how many of its rooms are wanted. */
export type Part = { readonly nights: readonly CalendarNight[]; readonly rooms: number };

/** The nights of several listings as those of one, whose price is that of all the rooms: a stay can begin and last
 *  where it can in each of them. One listing alone is told as it is. */
export function together(parts: readonly Part[]): CalendarNight[] {
  const [first, ...others] = parts;
  if (first === undefined) return [];
  if (others.length === 0) return [...first.nights];
  const known = others.map(({ nights }) => new Map(nights.map((night) => [night.date, night])));
  return first.nights.flatMap((night) => {
    const rest = known.flatMap((of) => of.get(night.date) ?? []);
    return rest.length < others.length ? [] : [ofAll([night, ...rest], parts)];
  });
}

function ofAll(nights: readonly CalendarNight[], parts: readonly Part[]): CalendarNight {
  const rooms = parts.map((part) => part.rooms);
  const isShort = nights.some(({ free }, at) => free < (rooms[at] ?? 1));
  const lengths = nights.map(lengthsOf).reduce(shared);
  const canBegin = nights.every(({ arrive }) => arrive) && lengths.length > 0;
  const [least = null] = lengths[0] ?? [];
  const most = lengths.at(-1)?.[1] ?? null;
  return {
    date: nights[0]?.date ?? "",
    free: isShort ? 0 : Math.min(...nights.map(({ free }) => free)),
    price: nights.reduce((sum, { price }, at) => sum + price * (rooms[at] ?? 1), 0),
    arrive: canBegin,
    closed: nights.some(({ closed }) => closed === true),
    min_nights: canBegin ? least : null,
    max_nights: canBegin && most !== Infinity ? most : null,
    lengths: lengths.length > 1 ? lengths : [],
    reason: nights.find(({ arrive }) => !arrive)?.reason ?? null,
  };
}

type Lengths = [number, number][];

function lengthsOf({ lengths = [], min_nights: least, max_nights: most }: CalendarNight): Lengths {
  return lengths.length > 0 ? lengths : [[least ?? 1, most ?? Infinity]];
}

/** The lengths that both have. */
function shared(some: Lengths, others: Lengths): Lengths {
  return some.flatMap(([low, high]) =>
    others.flatMap(([least, most]): Lengths => {
      const both: [number, number] = [Math.max(low, least), Math.min(high, most)];
      return both[0] <= both[1] ? [both] : [];
    }),
  );
}

/** What the lines of a quote cost each, without the fees and taxes of the whole order. */
export function amountsByLine({ lines }: Pick<Quote, "lines">): ReadonlyMap<number, number> {
  const amounts = new Map<number, number>();
  for (const { line, amount, included = false } of lines) {
    if (line === null || line === undefined || included) continue;
    amounts.set(line, (amounts.get(line) ?? 0) + amount);
  }
  return amounts;
}

/** The listings that a refusal is about, by their ids: of the line that it names, or of what is in the way. */
export function refusedListings(
  data: Readonly<Record<string, unknown>>,
  lines: readonly Pick<Line, "resource_id">[],
): string[] {
  const { line, resource_id: named, conflicts } = data;
  const of = named ?? (typeof line === "number" ? lines[line]?.resource_id : undefined);
  if (typeof of === "string") return [of];
  const others = Array.isArray(conflicts) ? conflicts.filter(isRecord) : [];
  const ids = new Set(others.map(({ resource_id: id }) => id));
  return lines
    .map(({ resource_id: id }) => id)
    .filter((id, at, all) => ids.has(id) && all.indexOf(id) === at);
}
