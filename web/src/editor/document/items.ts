// What can be selected in a room, each by a key that says where in the document it stands.
import type { SeatsPlan } from "~/seatmap/plan";

export type Item =
  | { readonly kind: "section"; readonly section: number }
  | { readonly kind: "row"; readonly section: number; readonly row: number }
  | { readonly kind: "table"; readonly section: number; readonly table: number }
  | { readonly kind: "pool"; readonly pool: number }
  | { readonly kind: "shape"; readonly shape: number }
  | { readonly kind: "stage" }
  | { readonly kind: "focus" };

/** An item as text: `section:0`, `row:0:3`, `table:1:2`, `pool:0`, `shape:4`, `stage`, `focus`. */
export type Key = string;

export const sectionKey = (section: number): Key => `section:${section}`;
export const rowKey = (section: number, row: number): Key => `row:${section}:${row}`;
export const tableKey = (section: number, table: number): Key => `table:${section}:${table}`;
export const poolKey = (pool: number): Key => `pool:${pool}`;
export const shapeKey = (shape: number): Key => `shape:${shape}`;
export const STAGE: Key = "stage";
export const FOCUS: Key = "focus";

/** The item of a key; null for a text that is no key. */
export function itemOf(key: Key): Item | null {
  if (key === "stage" || key === "focus") return { kind: key };
  const found = /^(section|row|table|pool|shape):(\d+)(?::(\d+))?$/.exec(key);
  const first = Number(found?.[2]);
  const second = Number(found?.[3]);
  switch (found?.[1]) {
    case "section":
      return { kind: "section", section: first };
    case "row":
      return { kind: "row", section: first, row: second };
    case "table":
      return { kind: "table", section: first, table: second };
    case "pool":
      return { kind: "pool", pool: first };
    case "shape":
      return { kind: "shape", shape: first };
    default:
      return null;
  }
}

/** Whether a key names something that the plan has. */
export function isThere(plan: SeatsPlan, key: Key): boolean {
  const item = itemOf(key);
  switch (item?.kind) {
    case "section":
      return plan.sections?.[item.section] !== undefined;
    case "row":
      return plan.sections?.[item.section]?.rows?.[item.row] !== undefined;
    case "table":
      return plan.sections?.[item.section]?.tables?.[item.table] !== undefined;
    case "pool":
      return plan.pools?.[item.pool] !== undefined;
    case "shape":
      return plan.shapes?.[item.shape] !== undefined;
    default:
      return item !== null && Boolean(plan[item.kind]);
  }
}

/** Everything that can be selected and moved by itself: all but the rows, which are parts. */
export function allKeys(plan: SeatsPlan): Key[] {
  const keys: Key[] = [];
  (plan.sections ?? []).forEach((section, number) => {
    const tables = section.tables ?? [];
    // A section that is only a frame for its tables is not taken with them.
    if ((section.rows ?? []).length > 0 || tables.length === 0) keys.push(sectionKey(number));
    else tables.forEach((_, table) => keys.push(tableKey(number, table)));
  });
  (plan.pools ?? []).forEach((_, pool) => keys.push(poolKey(pool)));
  (plan.shapes ?? []).forEach((_, shape) => keys.push(shapeKey(shape)));
  if (plan.stage) keys.push(STAGE);
  if (plan.focus) keys.push(FOCUS);
  return keys;
}

/** The keys without those whose section is among them too, so that nothing is moved twice. */
export function outermost(keys: readonly Key[]): Key[] {
  const sections = new Set(keys.filter((key) => key.startsWith("section:")));
  return keys.filter((key) => {
    const item = itemOf(key);
    if (item?.kind !== "row" && item?.kind !== "table") return true;
    return !sections.has(sectionKey(item.section));
  });
}
