// What each item of a room is called, for the outline, the inspector and what is said.
import type { SeatsPlan } from "~/seatmap/plan";
import { itemOf, type Key } from "./document/items";

type Told = (key: string, values?: Record<string, unknown>) => string;

export function nameOf(plan: SeatsPlan, key: Key, told: Told): string {
  const item = itemOf(key);
  switch (item?.kind) {
    case "section":
      return plan.sections?.[item.section]?.name ?? "";
    case "row":
      return told("item.row", {
        name: plan.sections?.[item.section]?.rows?.[item.row]?.name ?? "",
      });
    case "table":
      return told("item.table", {
        name: plan.sections?.[item.section]?.tables?.[item.table]?.name ?? "",
      });
    case "pool":
      return plan.pools?.[item.pool]?.unit ?? "";
    case "shape": {
      const shape = plan.shapes?.[item.shape];
      return shape?.kind === "text" ? `“${shape.text}”` : told(`item.${shape?.kind ?? "polygon"}`);
    }
    case "stage":
      return plan.stage?.label ?? told(`stage.${plan.stage?.kind ?? "stage"}`);
    case "focus":
      return told("item.focus");
    default:
      return told("item.room");
  }
}

/** What kind of thing an item is, in a word. */
export function kindOf(plan: SeatsPlan, key: Key, told: Told): string {
  const item = itemOf(key);
  if (item?.kind === "shape") return told(`kind.${plan.shapes?.[item.shape]?.kind ?? "polygon"}`);
  return told(`kind.${item?.kind ?? "room"}`);
}
