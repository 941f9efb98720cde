// A preview of the best free seats together: of the best rank, then the nearest to the focus. The
// engine has the same rule (inventory/seats) and decides when seats are held. It stands here a second
// time because the element must answer at once: in other sites, offline, and without holding anything.
import { boxOfPlaces } from "./box";
import { STAGE_DEFAULTS } from "./plan";
import type { Room } from "./room";
import { ACCESSIBLE, ORDINARY } from "./seats";

export type BestWish = { category?: string | null; accessible?: boolean };

const RANK_WEIGHT = 1e6;

function focusOf(room: Room): readonly [number, number] {
  const { focus, stage } = room.plan;
  if (focus) return focus;
  const { left, top, right, bottom } = boxOfPlaces(
    room.x.subarray(0, room.seats),
    room.y.subarray(0, room.seats),
  );
  if (!stage) return [(left + right) / 2, top];
  const { x, y, kind } = { ...STAGE_DEFAULTS, ...stage };
  return kind === "screen" ? [x, top + ((bottom - top) * 2) / 3] : [x, y];
}

/** This many adjacent free seats, or none. */
export function bestSeats(
  room: Room,
  isFree: (unit: number) => boolean,
  quantity: number,
  wish: BestWish = {},
): number[] {
  const { category, access, x, y } = room;
  if (!Number.isInteger(quantity) || quantity < 1 || quantity > room.seats) return [];
  const wanted = wish.category
    ? room.categories.findIndex(({ name }) => name === wish.category)
    : -1;
  if (wish.category && wanted < 0) return [];
  const inside = (seat: number) => isFree(seat) && (wanted < 0 || category[seat] === wanted);
  let eligible = inside;
  if (!wish.accessible) {
    // Wheelchair places are taken for others only when nothing else is left.
    const ordinary = (seat: number) => access[seat] === ORDINARY && inside(seat);
    let count = 0;
    for (let seat = 0; seat < room.seats && count < quantity; seat += 1)
      if (ordinary(seat)) count += 1;
    if (count >= quantity) eligible = ordinary;
  }
  const [focusX, focusY] = focusOf(room);
  const cost = (seat: number) =>
    (room.categories[category[seat] ?? 0]?.rank ?? 1) * RANK_WEIGHT +
    Math.hypot((x[seat] ?? 0) - focusX, (y[seat] ?? 0) - focusY);
  let best: number[] = [];
  let least = Infinity;
  for (const run of runs(room)) {
    for (const block of blocks(run, quantity, eligible)) {
      const sum =
        block.reduce((total, seat) => total + cost(seat), 0) + accessibleCost(room, block, wish);
      if (sum < least - 1e-9) {
        least = sum;
        best = block;
      }
    }
  }
  return Number.isFinite(least) ? best.sort((one, other) => one - other) : [];
}

/** For an accessible request: as few accessible seats as possible, if possible with their companion
 * seats. */
function accessibleCost(room: Room, block: readonly number[], wish: BestWish): number {
  if (!wish.accessible) return 0;
  const places = block.filter((seat) => room.access[seat] === ACCESSIBLE).length;
  if (places === 0) return Infinity;
  const own = block.filter((seat) => block.includes(room.companionOf[seat] ?? -1)).length;
  return places * 1e12 - own * 1e10;
}

type Run = { seats: number[]; isRing: boolean };

function* runs(room: Room): Generator<Run> {
  for (const bank of room.banks) {
    if (bank.start >= room.seats) continue;
    let seats: number[] = [];
    for (let seat = bank.start; seat < bank.stop; seat += 1) {
      if (room.breaks[seat] === 1 && seats.length > 0) {
        yield { seats, isRing: false };
        seats = [];
      }
      seats.push(seat);
    }
    yield { seats, isRing: bank.kind === "table" };
  }
}

function* blocks(run: Run, size: number, eligible: (seat: number) => boolean): Generator<number[]> {
  const { seats, isRing } = run;
  if (size > seats.length) return;
  const starts = isRing && size < seats.length ? seats.length : seats.length - size + 1;
  for (let start = 0; start < starts; start += 1) {
    const block: number[] = [];
    for (let step = 0; step < size; step += 1) {
      const seat = seats[(start + step) % seats.length] ?? -1;
      if (!eligible(seat)) break;
      block.push(seat);
    }
    if (block.length === size) yield block;
  }
}
