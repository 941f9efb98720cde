// Stays as cells of a table: each lane is a row in which no two overlap.
import type { BoardListing } from "~/api/schema";

export type Stay = BoardListing["stays"][number];
/** A night without a stay, or a stay with how many of the shown nights it has. */
export type Cell =
  | { readonly is: "night"; readonly at: number }
  | { readonly is: "stay"; readonly at: number; readonly span: number; readonly stay: Stay };

/** The stays in as few lanes as hold them; nights are those that are shown, in order. */
export function lanesOf(stays: readonly Stay[], nights: readonly string[]): Cell[][] {
  const lanes: { end: number; cells: Cell[] }[] = [];
  for (const stay of [...stays].sort((one, other) => (one.from < other.from ? -1 : 1))) {
    const found = nights.findIndex((night) => night >= stay.from);
    const behind = nights.findIndex((night) => night >= stay.to);
    const end = behind === -1 ? nights.length : behind;
    if (found === -1 || found >= end) continue;
    let lane = lanes.find((one) => one.end <= found);
    if (!lane) lanes.push((lane = { end: 0, cells: [] }));
    for (let at = lane.end; at < found; at += 1) lane.cells.push({ is: "night", at });
    lane.cells.push({ is: "stay", at: found, span: end - found, stay });
    lane.end = end;
  }
  return lanes.map(({ end, cells }) => [
    ...cells,
    ...nights.slice(end).map((_, index): Cell => ({ is: "night", at: end + index })),
  ]);
}
