// What can be selected in a room, each by a key that says where in the document it stands.
import type { Point, Pool, Row, SeatsPlan, Section, Shape, Stage, Table } from "~/seatmap/plan";

export type Parts = {
  section: Section;
  row: Row;
  table: Table;
  pool: Pool;
  shape: Shape;
  stage: Stage;
  focus: Point;
};
type Kind = keyof Parts;

/** Where a thing stands: its place in its list, and of rows and tables that of their section. */
type Place = { readonly section: number; readonly at: number };
export type Item<K extends Kind = Kind> = { [Own in K]: { readonly kind: Own } & Place }[K];

/** An item as text: `section:0`, `row:0:3`, `table:1:2`, `pool:0`, `shape:4`, `stage`, `focus`. */
export type Key = string;

export const sectionKey = (section: number): Key => `section:${section}`;
export const rowKey = (section: number, row: number): Key => `row:${section}:${row}`;
export const tableKey = (section: number, table: number): Key => `table:${section}:${table}`;
export const poolKey = (pool: number): Key => `pool:${pool}`;
export const shapeKey = (shape: number): Key => `shape:${shape}`;
export const STAGE: Key = "stage";
export const FOCUS: Key = "focus";

const READERS: {
  readonly [K in Kind]: (plan: SeatsPlan, place: Place) => Parts[K] | null | undefined;
} = {
  section: (plan, { at }) => plan.sections?.[at],
  row: (plan, { section, at }) => plan.sections?.[section]?.rows?.[at],
  table: (plan, { section, at }) => plan.sections?.[section]?.tables?.[at],
  pool: (plan, { at }) => plan.pools?.[at],
  shape: (plan, { at }) => plan.shapes?.[at],
  stage: (plan) => plan.stage,
  focus: (plan) => plan.focus,
};
const KEYS = /^(?:(stage|focus)|(section|pool|shape):(\d+)|(row|table):(\d+):(\d+))$/;

/** The item of a key; null for a text that is no key. */
export function itemOf(key: Key): Item | null {
  const found = KEYS.exec(key);
  if (found === null) return null;
  const [, single, own, place, part, section = place, at = place] = found;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one of the pattern's words
  const kind = (single ?? own ?? part) as Kind;
  return { kind, section: Number(section ?? 0), at: Number(at ?? 0) };
}

/** The thing that an item is; none where the plan has none. */
export function partOf<K extends Kind>(
  plan: SeatsPlan,
  item: Item<K>,
): Parts[K] | null | undefined {
  const reader: (plan: SeatsPlan, place: Place) => Parts[K] | null | undefined = READERS[item.kind];
  return reader(plan, item);
}

export function isThere(plan: SeatsPlan, key: Key): boolean {
  const item = itemOf(key);
  return item !== null && Boolean(partOf(plan, item));
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
