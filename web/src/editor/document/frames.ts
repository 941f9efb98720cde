// How the rows of a section stand, seen from the section: the middle of each, and its bend. The same
// arithmetic as the seat map's layout, which a test holds it to; handles and missing seats need it
// between the seats, where the layout says nothing.
import { radians } from "~/seatmap/layout";
import type { Point, Row, Section } from "~/seatmap/plan";
import { isListed, missingOf } from "./rows";

/** A row seen from its section: its middle, how long it is, and its radius where it is bent. */
export type Frame = {
  readonly row: number;
  readonly x: number;
  readonly y: number;
  readonly length: number;
  readonly radius: number | null;
};

/** Places turned clockwise about the origin; y grows downwards. */
export function turned([x, y]: Point, degrees: number): Point {
  if (degrees === 0) return [x, y];
  const [cosine, sine] = [Math.cos(radians(degrees)), Math.sin(radians(degrees))];
  return [x * cosine - y * sine, x * sine + y * cosine];
}

/** How far along a counted row each of its places is, and the last that has a seat. */
export function offsetsOf(row: Row): { offsets: number[]; length: number } {
  const offsets: number[] = [];
  const missing = missingOf(row);
  const aisles = new Set(row.aisles);
  let offset = 0;
  let length = 0;
  for (let place = 0; place < (row.seats ?? 0); place += 1) {
    offsets.push(offset);
    if (!missing.has(place)) length = offset;
    offset += aisles.has((row.first ?? 1) + place * (row.step ?? 1)) ? 2 : 1;
  }
  return { offsets, length };
}

function lengthOf(row: Row): number {
  if (!isListed(row)) return offsetsOf(row).length;
  return (row.list ?? []).reduce((at, seat, place) => at + (place === 0 ? 0 : seat.gap ? 2 : 1), 0);
}

/** The rows of a section that are laid out in a line, and how deep they reach. */
export function framesOf(section: Section): { frames: Frame[]; depth: number } {
  const frames: Frame[] = [];
  let depth = 0;
  let bend: { y: number; radius: number } | null = null;
  (section.rows ?? []).forEach((row, number) => {
    if (typeof row.list?.[0]?.x === "number") return;
    if (!isListed(row) && missingOf(row).size >= (row.seats ?? 0)) return;
    const y = row.y ?? depth;
    const length = lengthOf(row);
    if (bend === null && section.curve) bend = { y, radius: (length + 1) / radians(section.curve) };
    const radius = bend && Math.max(bend.radius + y - bend.y, (length + 1) / Math.PI);
    frames.push({ row: number, x: row.x ?? 0, y, length, radius });
    depth = y + 1;
  });
  return { frames, depth };
}

/** The place so far along a row, seen from the section. */
export function along(frame: Frame, offset: number): Point {
  const at = offset - frame.length / 2 + frame.x;
  if (frame.radius === null) return [at, frame.y];
  const angle = at / frame.radius;
  return [frame.radius * Math.sin(angle), frame.y - frame.radius * (1 - Math.cos(angle))];
}

/** The bend, in degrees, that brings the ends of a row of this length so far forward. */
export function curveFor(length: number, forward: number): number {
  if (forward <= 0 || length <= 0) return 0;
  const reach = (degrees: number) => {
    const radius = (length + 1) / radians(degrees);
    return radius * (1 - Math.cos(length / 2 / radius));
  };
  let [low, high] = [0, 180];
  for (let step = 0; step < 40; step += 1) {
    const middle = (low + high) / 2;
    if (reach(middle) < forward) low = middle;
    else high = middle;
  }
  return Math.round(low);
}
