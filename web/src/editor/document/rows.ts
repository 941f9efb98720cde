// Commands on one row: how many seats, how they are numbered, which are missing, where aisles are,
// and for whom seats are. Each gives a row back that says nothing of seats that are not there.
import type { ListedSeat, Row } from "~/seatmap/plan";
import { edited, orNothing } from "./edit";

export const ROW_SEATS_MAX = 10_000;
const FIRST_MAX = 100_000;
const STEP_MAX = 100;

export const isListed = (row: Row): boolean => (row.list?.length ?? 0) > 0;
export const firstOf = (row: Row): number => row.first ?? 1;
export const stepOf = (row: Row): number => row.step ?? 1;
export const seatsOf = (row: Row): number =>
  isListed(row) ? (row.list?.length ?? 0) : (row.seats ?? 0) - missingOf(row).size;

/** The number at a place of a counted row, whose places are 0, 1, 2 from its one end. */
export const numberAt = (row: Row, place: number): number => firstOf(row) + place * stepOf(row);

/** The place of a number in a counted row; null where the row does not count it. */
export function placeOf(row: Row, number: number): number | null {
  const place = (number - firstOf(row)) / stepOf(row);
  return Number.isInteger(place) && place >= 0 && place < (row.seats ?? 0) ? place : null;
}

function canCount(first: number, step: number, seats: number): boolean {
  const isWhole = [first, step, seats].every(Number.isInteger);
  return (
    isWhole &&
    first >= 0 &&
    first <= FIRST_MAX &&
    step !== 0 &&
    Math.abs(step) <= STEP_MAX &&
    seats >= 1 &&
    seats <= ROW_SEATS_MAX &&
    first + (seats - 1) * step >= 0
  );
}

/** The places of a counted row where no seat is. */
export function missingOf(row: Row): Set<number> {
  return new Set((row.without ?? []).flatMap((number) => placeOf(row, number) ?? []));
}

/** The row with each number that it mentions mapped; null takes the mention away. */
function mapped(row: Row, map: (number: number) => number | null): Row {
  const many = (numbers: readonly number[] | undefined) =>
    orNothing(numbers?.flatMap((number) => map(number) ?? []));
  const companions = row.companions?.flatMap((one) => {
    const [seat, of] = [map(one.seat), map(one.of)];
    return seat === null || of === null ? [] : [{ seat, of }];
  });
  return edited(row, {
    without: many(row.without),
    aisles: many(row.aisles),
    accessible: many(row.accessible),
    companions: orNothing(companions),
  });
}

/** Counts otherwise; what is said of a seat stays with the seat that stands there. */
function renumber(row: Row, first: number, step: number): Row {
  if (isListed(row) || !canCount(first, step, row.seats ?? 0)) return row;
  const made = mapped(row, (number) => {
    const place = placeOf(row, number);
    return place === null ? null : first + place * step;
  });
  return edited(made, {
    first: first === 1 ? undefined : first,
    step: step === 1 ? undefined : step,
  });
}

/** Counts from the number that people see first, in the direction that the row has. */
export function renumberFrom(row: Row, lowest: number, step: number): Row {
  if (stepOf(row) >= 0) return renumber(row, lowest, step);
  return renumber(row, lowest + ((row.seats ?? 1) - 1) * step, -step);
}

export function reverse(row: Row): Row {
  return renumber(row, numberAt(row, (row.seats ?? 1) - 1), -stepOf(row));
}

/** A counted row with so many places; a row that counts down still ends at the same number. */
export function setSeats(row: Row, seats: number): Row {
  if (isListed(row) || seats < 1 || seats > ROW_SEATS_MAX || seats === row.seats) return row;
  const step = stepOf(row);
  const last = numberAt(row, (row.seats ?? 1) - 1);
  const first = step < 0 ? last - (seats - 1) * step : firstOf(row);
  if (!canCount(first, step, seats)) return row;
  const made = mapped(row, (number) => {
    const place = placeOf(row, number);
    return place === null || place >= seats ? null : first + place * step;
  });
  const grown = edited(made, { seats, first: first === 1 ? undefined : first });
  return seatsOf(grown) > 0 ? grown : edited(grown, { without: undefined });
}

/** A list of numbers with one taken in, or out of it. */
export const toggled = (numbers: readonly number[] | undefined, number: number): number[] =>
  numbers?.includes(number)
    ? numbers.filter((other) => other !== number)
    : [...(numbers ?? []), number].sort((one, other) => one - other);

/** The row without anything said of whom a seat is for. */
function ordinary(row: Row, number: number): Row {
  const companions = row.companions?.filter((one) => one.seat !== number && one.of !== number);
  return edited(row, {
    accessible: orNothing(row.accessible?.filter((other) => other !== number)),
    companions: orNothing(companions),
  });
}

/** Takes a seat away, or puts a missing one back; null where it was the row's last. */
export function toggleMissing(row: Row, place: number): Row | null {
  const seat = row.list?.[place];
  if (seat !== undefined) return withoutListed(row, place, seat);
  if (place < 0 || place >= (row.seats ?? 0)) return row;
  const number = numberAt(row, place);
  const without = orNothing(toggled(row.without, number));
  const made = edited(ordinary(row, number), { without });
  return seatsOf(made) > 0 ? made : null;
}

function withoutListed(row: Row, place: number, seat: ListedSeat): Row | null {
  const list = (row.list ?? []).flatMap((other, at) => {
    if (at === place) return [];
    const free =
      other.companion_of === seat.label ? edited(other, { companion_of: undefined }) : other;
    // Who sat beside a seat that is gone sits beside nobody there.
    return [at === place + 1 && place > 0 ? edited(free, { gap: true }) : free];
  });
  return list.length === 0 ? null : edited(row, { list });
}

export function toggleAisle(row: Row, place: number): Row {
  if (isListed(row)) {
    const next = row.list?.[place + 1];
    if (next === undefined) return row;
    const made = edited(next, { gap: next.gap ? undefined : true });
    return edited(row, { list: row.list?.map((seat) => (seat === next ? made : seat)) });
  }
  if (place < 0 || place >= (row.seats ?? 0) - 1) return row;
  return edited(row, { aisles: orNothing(toggled(row.aisles, numberAt(row, place))) });
}

export function toggleAccessible(row: Row, place: number): Row {
  const seat = row.list?.[place];
  if (seat !== undefined) {
    const list = (row.list ?? []).map((other) => {
      if (other === seat) {
        return edited(seat, {
          accessible: seat.accessible ? undefined : true,
          companion_of: undefined,
        });
      }
      const isTheirs = seat.accessible && other.companion_of === seat.label;
      return isTheirs ? edited(other, { companion_of: undefined }) : other;
    });
    return edited(row, { list });
  }
  const number = numberAt(row, place);
  if (placeOf(row, number) === null || row.without?.includes(number)) return row;
  const accessible = orNothing(toggled(row.accessible, number));
  return edited(ordinary(row, number), { accessible });
}

/** Makes a seat the companion's of the nearest wheelchair place of the row, or an ordinary one; null
 * where the row has no such place. */
export function toggleCompanion(row: Row, place: number): Row | null {
  if (isListed(row)) return toggleListedCompanion(row, place);
  const number = numberAt(row, place);
  if (placeOf(row, number) === null || row.without?.includes(number)) return null;
  const free = ordinary(row, number);
  if (row.companions?.some((one) => one.seat === number)) return free;
  const places = (free.accessible ?? []).flatMap((of) => placeOf(row, of) ?? []);
  const nearest = nearestTo(places, place);
  if (nearest === null) return null;
  const companions = [...(free.companions ?? []), { seat: number, of: numberAt(row, nearest) }];
  return edited(free, { companions });
}

function toggleListedCompanion(row: Row, place: number): Row | null {
  const list = row.list ?? [];
  const seat = list[place];
  if (seat === undefined) return null;
  const swap = (by: ListedSeat) => edited(row, { list: list.map((s) => (s === seat ? by : s)) });
  if (seat.companion_of) return swap(edited(seat, { companion_of: undefined }));
  if (seat.accessible) return null;
  const places = list.flatMap((other, at) => (other.accessible ? [at] : []));
  const nearest = nearestTo(places, place);
  const of = nearest === null ? undefined : list[nearest]?.label;
  return of === undefined ? null : swap(edited(seat, { companion_of: of }));
}

function nearestTo(places: readonly number[], place: number): number | null {
  const far = (other: number) => Math.abs(other - place);
  return places.reduce<number | null>(
    (best, other) => (best === null || far(other) < far(best) ? other : best),
    null,
  );
}

/** The name after this one: A, B, Z, AA; 1, 2; R9, R10; A-, B-. */
export function nextName(name: string): string {
  const found = /^(.*?)(\d{1,9}|[A-Z]+)([^\p{L}\p{N}]*)$/u.exec(name);
  if (!found) return `${name}-2`;
  const [, start = "", counted = "", end = ""] = found;
  const next = /^\d/u.test(counted) ? String(Number(counted) + 1) : rowName(rowNumber(counted) + 1);
  return start + next + end;
}

/** The name of the row with this number from 0 on: A to Z, then AA, AB and so on. */
export function rowName(number: number): string {
  const letter = String.fromCharCode(65 + (number % 26));
  return number < 26 ? letter : rowName(Math.floor(number / 26) - 1) + letter;
}

function rowNumber(name: string): number {
  let number = 0;
  for (const letter of name) number = number * 26 + letter.charCodeAt(0) - 64;
  return number - 1;
}
