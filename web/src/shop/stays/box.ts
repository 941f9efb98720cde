// A box of the map as it stands in the address and is asked for: west,south,east,north in degrees.
export type Box = { west: number; south: number; east: number; north: number };

const SIDE = /^-?\d{1,3}(\.\d{1,6})?$/;
const DEGREES_MAX = 20;
const DIGITS = 4;

/** Null for what is no box that the search takes. */
export function boxFrom(text: string): Box | null {
  const parts = text.split(",");
  if (parts.length !== 4 || !parts.every((part) => SIDE.test(part))) return null;
  const [west = 0, south = 0, east = 0, north = 0] = parts.map(Number);
  const width = east - west + (west > east ? 360 : 0);
  const isOnEarth = Math.max(Math.abs(west), Math.abs(east)) <= 180 && north <= 90 && south >= -90;
  const hasSize =
    width > 0 && width <= DEGREES_MAX && north > south && north - south <= DEGREES_MAX;
  return isOnEarth && hasSize ? { west, south, east, north } : null;
}

export function boxText({ west, south, east, north }: Box): string {
  return [west, south, east, north].map((side) => String(Number(side.toFixed(DIGITS)))).join(",");
}
