// How the rows of a section stand, seen from the section, as the seat map lays them out; and what only
// handles and missing seats need: where a row has places without seats, and how far it would bend.
import { framesOf as framesIn, radians, type Frame as Framed } from "~/seatmap/layout";
import type { Row, Section } from "~/seatmap/plan";
import { seatRows } from "~/seatmap/seats";

export { along, turned } from "~/seatmap/layout";

export type Frame = Framed & { readonly row: number };

/** How far along a counted row each of its places is. */
export function offsetsOf(row: Row): number[] {
  const aisles = new Set(row.aisles);
  let offset = 0;
  return Array.from({ length: row.seats ?? 0 }, (_, place) => {
    const own = offset;
    offset += aisles.has((row.first ?? 1) + place * (row.step ?? 1)) ? 2 : 1;
    return own;
  });
}

export function framesOf(section: Section): Frame[] {
  const banks = seatRows({ type: "seats", sections: [section] });
  const seated = banks.filter((bank) => bank.spots.length > 0);
  const { frames } = framesIn(section, seated);
  return frames.map((frame) => ({ ...frame, row: banks.indexOf(frame.bank) }));
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
