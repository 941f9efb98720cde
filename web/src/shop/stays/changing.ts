// The calendar of a listing for a guest who changes a stay in it: their own nights are theirs to keep. What the rules
// of the house say of a stay that has some of them, the server says when it is asked.
import type { BookingView, CalendarNight, Line } from "~/api/schema";
import { leftLines } from "../bookings/leftLines";
import { addDays } from "../days";
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

/** How many rooms a booking has. */
export function roomsOf(booking: Booked): number {
  return leftLines(booking).reduce((count, { left }) => count + left, 0);
}

/** From when until when a booking is; null where its lines differ, or are no stays. */
export function bookedRange(booking: Booked): Range | null {
  const [first, ...others] = leftLines(booking);
  if (first?.from === undefined || first.to === undefined) return null;
  const isSame = others.every(
    ({ from, to, resource_id }) =>
      from === first.from && to === first.to && resource_id === first.resource_id,
  );
  return isSame ? { start: first.from, end: first.to } : null;
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
