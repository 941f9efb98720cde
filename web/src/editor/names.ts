// What each item of a room is called, for the outline, the inspector and what is said.
import type { SeatsPlan } from "~/seatmap/plan";
import { itemOf, partOf, type Key } from "./document/items";

type Translate = (key: string, values?: object) => string;

export function nameOf(plan: SeatsPlan, key: Key, t: Translate): string {
  const item = itemOf(key);
  switch (item?.kind) {
    case "section":
      return partOf(plan, item)?.name ?? "";
    case "row":
      return t("item.row", partOf(plan, item) ?? {});
    case "table":
      return t("item.table", partOf(plan, item) ?? {});
    case "pool":
      return partOf(plan, item)?.unit ?? "";
    case "shape": {
      const shape = partOf(plan, item);
      return shape?.kind === "text" ? `“${shape.text}”` : kindOf(plan, key, t);
    }
    case "stage":
      return plan.stage?.label ?? t(`stage.${plan.stage?.kind ?? "stage"}`);
    default:
      return kindOf(plan, key, t);
  }
}

export function kindOf(plan: SeatsPlan, key: Key, t: Translate): string {
  const item = itemOf(key);
  const kind = item?.kind === "shape" ? partOf(plan, item)?.kind : item?.kind;
  return t(`kind.${kind}`);
}

/** The words of several names, as an object. */
export function wordsOf<N extends string>(
  names: readonly N[],
  wordOf: (name: N) => string,
): Readonly<Record<N, string>> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has exactly these names
  return Object.fromEntries(names.map((name) => [name, wordOf(name)])) as Record<N, string>;
}
