// The thing that a key names, and its fields, whatever kind of thing it is.
import type { Pool, Row, SeatsPlan, Section, Shape, Stage, Table } from "~/seatmap/plan";
import { edited, withPool, withRow, withSection, withShape, withTable } from "./edit";
import { itemOf, type Key } from "./items";
import { pin, pinAll } from "./moves";

type Part = Section | Row | Table | Pool | Shape | Stage;

/** Sets fields of a thing. What would make others jump is pinned first. */
export function withFields(plan: SeatsPlan, key: Key, changes: object): SeatsPlan {
  const set = <T extends Part>(part: T): T => edited<T>(part, changes);
  const item = itemOf(key);
  switch (item?.kind) {
    case "section":
      return withSection("curve" in changes ? pin(plan, item.section) : plan, item.section, set);
    case "row":
      return withRow(plan, item.section, item.row, set);
    case "table":
      return withTable(plan, item.section, item.table, set);
    case "pool":
      return withPool(plan, item.pool, set);
    case "shape":
      return withShape(plan, item.shape, set);
    case "stage":
      return edited(pinAll(plan), { stage: set(plan.stage ?? {}) });
    default:
      return plan;
  }
}
