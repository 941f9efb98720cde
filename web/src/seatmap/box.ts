// Boxes and outlines in the room's coordinates.
import type { Point } from "./plan";

export type Box = { left: number; top: number; right: number; bottom: number };

export const NOWHERE: Box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };

export function union(one: Box, other: Box): Box {
  return {
    left: Math.min(one.left, other.left),
    top: Math.min(one.top, other.top),
    right: Math.max(one.right, other.right),
    bottom: Math.max(one.bottom, other.bottom),
  };
}

export function around(x: number, y: number, reachX: number, reachY = reachX): Box {
  return { left: x - reachX, top: y - reachY, right: x + reachX, bottom: y + reachY };
}

export const isEmpty = (box: Box): boolean => box.left > box.right;
export const middle = (box: Box): Point => [(box.left + box.right) / 2, (box.top + box.bottom) / 2];

/** A box with this much more on each side. */
export function grown({ left, top, right, bottom }: Box, by: number): Box {
  return { left: left - by, top: top - by, right: right + by, bottom: bottom + by };
}

export function boxOfPlaces(x: Float64Array, y: Float64Array): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at < x.length; at += 1) {
    left = Math.min(left, x[at] ?? 0);
    right = Math.max(right, x[at] ?? 0);
    top = Math.min(top, y[at] ?? 0);
    bottom = Math.max(bottom, y[at] ?? 0);
  }
  return { left, top, right, bottom };
}

export function boxOf(points: readonly Point[]): Box {
  return points.reduce<Box>((sum, [x, y]) => union(sum, around(x, y, 0)), NOWHERE);
}

/** The centre of gravity of an outline; of one without an area, the middle of its box. */
export function middleOf(outline: readonly Point[]): Point {
  let [area, x, y] = [0, 0, 0];
  outline.forEach(([fromX, fromY], number) => {
    const [toX, toY] = outline[(number + 1) % outline.length] ?? [fromX, fromY];
    const cross = fromX * toY - toX * fromY;
    area += cross / 2;
    x += ((fromX + toX) * cross) / 6;
    y += ((fromY + toY) * cross) / 6;
  });
  if (Math.abs(area) > 1e-9) return [x / area, y / area];
  return middle(boxOf(outline));
}

export function isWithin(outline: readonly Point[], x: number, y: number): boolean {
  let inside = false;
  outline.forEach(([fromX, fromY], number) => {
    const [toX, toY] = outline[(number + 1) % outline.length] ?? [fromX, fromY];
    if (fromY > y !== toY > y && x < fromX + ((y - fromY) * (toX - fromX)) / (toY - fromY)) {
      inside = !inside;
    }
  });
  return inside;
}
