// A room as it is typed: rows of seats or areas to stand in, with what cannot be read of it and the plan
// that it makes.
import { useState } from "react";
import {
  type AreaDraft,
  areasFaults,
  areasPlan,
  type RowsDraft,
  rowsFaults,
  rowsPlan,
} from "./roomPlan";

export type TypedKind = "rows" | "areas";

/** `usual` is what it begins with. */
export function useRoomDraft(
  kind: TypedKind,
  usual: { readonly rows: RowsDraft; readonly areas: readonly AreaDraft[] },
) {
  const [rows, setRows] = useState(usual.rows);
  const [areas, setAreas] = useState(usual.areas);
  const faults = kind === "rows" ? rowsFaults(rows) : areasFaults(areas);
  const plan = faults.length > 0 ? null : kind === "rows" ? rowsPlan(rows) : areasPlan(areas);
  return { kind, rows, setRows, areas, setAreas, faults, plan };
}

export type RoomDraft = ReturnType<typeof useRoomDraft>;
