// Rooms without drawing: rows of seats in two categories, or areas to stand in.
import { rowName } from "~/editor/document/rows";
import type { SeatsPlan, Stage } from "~/seatmap/plan";
import { readWhole } from "../programme/amounts";

export const ROWS_MAX = 100;
export const SEATS_MAX = 200;
export const CAPACITY_MAX = 100_000;

export type RowsDraft = {
  readonly rows: string;
  readonly seats: string;
  /** How many rows at the front are of the first category; 0: all are of the second. */
  readonly front: string;
  readonly first: string;
  readonly second: string;
  readonly stage: Stage;
};
export type AreaDraft = { readonly name: string; readonly capacity: string };

export function rowsFaults(draft: RowsDraft): (keyof RowsDraft)[] {
  const rows = readWhole(draft.rows, 1, ROWS_MAX);
  const front = readWhole(draft.front, 0, rows ?? ROWS_MAX);
  const faults: (keyof RowsDraft)[] = [];
  if (rows === null) faults.push("rows");
  if (readWhole(draft.seats, 1, SEATS_MAX) === null) faults.push("seats");
  if (front === null) faults.push("front");
  if (draft.first.trim() === "") faults.push("first");
  if (draft.second.trim() === "" || draft.second.trim() === draft.first.trim())
    faults.push("second");
  return faults;
}

/** The names of the fields that cannot be read: "0.name", "1.capacity". */
export function areasFaults(areas: readonly AreaDraft[]): string[] {
  return areas.flatMap(({ name, capacity }, at) => {
    const isTaken = areas.some((other, place) => place < at && other.name.trim() === name.trim());
    return [
      ...(name.trim() === "" || isTaken ? [`${at}.name`] : []),
      ...(readWhole(capacity, 1, CAPACITY_MAX) === null ? [`${at}.capacity`] : []),
    ];
  });
}

const FIRST_COLOR = "#8a5a00";
const SECOND_COLOR = "#4a2fbd";

/** Rows from the stage backwards: A, B, C. */
export function rowsPlan(draft: RowsDraft): SeatsPlan {
  const rows = readWhole(draft.rows, 1, ROWS_MAX) ?? 1;
  const seats = readWhole(draft.seats, 1, SEATS_MAX) ?? 1;
  const front = readWhole(draft.front, 0, rows) ?? 0;
  const [first, second] = [draft.first.trim(), draft.second.trim()];
  const categories = [
    ...(front > 0 ? [{ name: first, color: FIRST_COLOR, rank: 2 }] : []),
    ...(front < rows ? [{ name: second, color: SECOND_COLOR, rank: 1 }] : []),
  ];
  const all = Array.from({ length: rows }, (_, at) => ({ name: rowName(at), seats }));
  const parts = [
    { name: first, category: first, rows: all.slice(0, front) },
    { name: second, category: second, rows: all.slice(front) },
  ];
  return {
    type: "seats",
    categories,
    sections: parts.filter((part) => part.rows.length > 0),
    stage: draft.stage,
  };
}

/** Areas beside each other, each with a category of its own name, so that each has its price. */
export function areasPlan(areas: readonly AreaDraft[]): SeatsPlan {
  return {
    type: "seats",
    categories: areas.map(({ name }) => ({ name: name.trim() })),
    pools: areas.map(({ name, capacity }) => ({
      unit: name.trim(),
      capacity: readWhole(capacity, 1, CAPACITY_MAX) ?? 1,
      category: name.trim(),
    })),
  };
}
