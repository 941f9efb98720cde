// Arrow-key navigation: the nearest unit in that direction on the screen, whatever its row. Left is
// left in every script, because a room is a place.
import { around } from "./box";
import type { Grid } from "./grid";
import type { Room } from "./room";

export type Direction = "left" | "right" | "up" | "down";

const STEPS: Readonly<Record<Direction, readonly [number, number]>> = {
  left: [-1, 0],
  right: [1, 0],
  up: [0, -1],
  down: [0, 1],
};
const REACHES = [1.6, 3, 6, 14, 40, 120, 400];
/** The cost of distance to the side, relative to distance ahead. */
const ASIDE = 2.4;
/** The largest slope that still counts as that direction. */
const SLOPE_MAX = 1.2;

/** The next unit in a direction; the same unit if there is none. */
export function neighbour(room: Room, grid: Grid, from: number, direction: Direction): number {
  const [stepX, stepY] = STEPS[direction];
  const x = room.x[from] ?? 0;
  const y = room.y[from] ?? 0;
  for (const reach of REACHES) {
    let found = -1;
    let least = Infinity;
    grid.within(around(x, y, reach), (unit) => {
      const dx = (room.x[unit] ?? 0) - x;
      const dy = (room.y[unit] ?? 0) - y;
      const ahead = dx * stepX + dy * stepY;
      const aside = Math.abs(dx * stepY) + Math.abs(dy * stepX);
      if (unit === from || ahead < 0.05 || aside > ahead * SLOPE_MAX) return;
      const cost = Math.hypot(ahead, aside * ASIDE);
      if (cost < least || (cost === least && unit < found)) {
        least = cost;
        found = unit;
      }
    });
    // A unit just outside this reach might be nearer than one in its corner.
    if (found >= 0 && least <= reach) return found;
    if (found >= 0 && reach === REACHES.at(-1)) return found;
  }
  return from;
}

/** The leftmost or rightmost unit of a row, on the screen. */
export function rowEnd(room: Room, from: number, end: "left" | "right"): number {
  const bank = room.banks[room.bank[from] ?? -1];
  if (bank === undefined) return from;
  const [one, other] = [bank.start, bank.stop - 1];
  const oneIsLeft = (room.x[one] ?? 0) <= (room.x[other] ?? 0);
  return oneIsLeft === (end === "left") ? one : other;
}

export function firstUnit(
  room: Room,
  grid: Grid,
  x: number,
  y: number,
  isFree: (unit: number) => boolean,
): number {
  for (const reach of REACHES) {
    const found = grid.nearest(x, y, reach, isFree);
    if (found >= 0) return found;
  }
  return room.units.length > 0 ? 0 : -1;
}
