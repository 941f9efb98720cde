// The thing that a key names, and its fields, whatever kind of thing it is.
import type { SeatsPlan } from "~/seatmap/plan";
import { edited, withPool, withRow, withSection, withShape, withTable } from "./edit";
import { itemOf, partOf, type Key } from "./items";
import { pin, pinAll } from "./moves";
import { renameWord } from "./translations";

/** The fields that buyers read, of whatever kind of thing. */
const NAMES = ["name", "unit", "label", "text"];

/** Sets fields of a thing. What would make others jump is pinned first, and a name that is typed anew
 * takes its translations along. */
export function withFields(plan: SeatsPlan, key: Key, changes: object): SeatsPlan {
  const item = itemOf(key);
  const before = new Map<string, unknown>(Object.entries((item && partOf(plan, item)) ?? {}));
  return Object.entries(changes).reduce(
    (made, [field, to]: [string, unknown]) => {
      const from = before.get(field);
      const isName = NAMES.includes(field) && typeof from === "string" && typeof to === "string";
      return isName ? renameWord(made, from, to) : made;
    },
    withSet(plan, key, changes),
  );
}

function withSet(plan: SeatsPlan, key: Key, changes: object): SeatsPlan {
  const set = <T extends object>(part: T): T => edited<T>(part, changes);
  const item = itemOf(key);
  switch (item?.kind) {
    case "section":
      return withSection("curve" in changes ? pin(plan, item.at) : plan, item.at, set);
    case "row":
      return withRow(plan, item.section, item.at, set);
    case "table":
      return withTable(plan, item.section, item.at, set);
    case "pool":
      return withPool(plan, item.at, set);
    case "shape":
      return withShape(plan, item.at, set);
    case "stage":
      return edited(pinAll(plan), { stage: set(plan.stage ?? {}) });
    default:
      return plan;
  }
}
