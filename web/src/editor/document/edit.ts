// Small changes of immutable documents: a field set or taken away, an item of a list replaced. What
// is not touched is shared with the document before, so that undo costs nothing.
import type { Pool, Row, SeatsPlan, Section, Shape, Table } from "~/seatmap/plan";
import type { Key } from "./items";

/** A plan after a command, and what is selected then. */
export type Edited = { readonly plan: SeatsPlan; readonly selection: readonly Key[] };

/** Fields with their new values; `undefined` takes a field away. */
export type Changes<T> = { [K in keyof T]?: T[K] | undefined };

/** The same with some fields changed, in their order. */
export function edited<T extends object>(of: T, changes: Changes<T>): T {
  const made = { ...of, ...changes };
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) Reflect.deleteProperty(made, name);
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only undefined was taken out
  return made as T;
}

/** A list for an optional field: nothing where it is empty. */
export function orNothing<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list?.length ? list : undefined;
}

type Change<T> = (item: T) => T | null;

/** A list with one item changed, or taken away by null; the same list where nothing is changed. */
function changedAt<T>(list: readonly T[] | undefined, at: number, change: Change<T>) {
  const item = list?.[at];
  if (!list || item === undefined) return list;
  const made = change(item);
  if (made === item) return list;
  return made === null ? list.toSpliced(at, 1) : list.with(at, made);
}

export function withSection(plan: SeatsPlan, at: number, change: Change<Section>): SeatsPlan {
  const sections = changedAt(plan.sections, at, change);
  return sections === plan.sections ? plan : edited(plan, { sections });
}

export function withRow(
  plan: SeatsPlan,
  section: number,
  at: number,
  change: Change<Row>,
): SeatsPlan {
  return withSection(plan, section, (of) => {
    const rows = changedAt(of.rows, at, change);
    return rows === of.rows ? of : edited(of, { rows });
  });
}

export function withTable(
  plan: SeatsPlan,
  section: number,
  at: number,
  change: Change<Table>,
): SeatsPlan {
  return withSection(plan, section, (of) => {
    const tables = changedAt(of.tables, at, change);
    return tables === of.tables ? of : edited(of, { tables });
  });
}

export function withPool(plan: SeatsPlan, at: number, change: Change<Pool>): SeatsPlan {
  const pools = changedAt(plan.pools, at, change);
  return pools === plan.pools ? plan : edited(plan, { pools });
}

export function withShape(plan: SeatsPlan, at: number, change: Change<Shape>): SeatsPlan {
  const shapes = changedAt(plan.shapes, at, change);
  return shapes === plan.shapes ? plan : edited(plan, { shapes });
}

const COORDINATE_MAX = 1_000_000;

/** A length or place as the document keeps it: thousandths of a seat, within the format's bounds. */
export function tidy(value: number, low = -COORDINATE_MAX, high = COORDINATE_MAX): number {
  const made = Math.round(Math.min(high, Math.max(low, value)) * 1000) / 1000;
  return made === 0 ? 0 : made; // not minus zero
}

/** Degrees as the document keeps them: from 0 up to 360. */
export function tidyTurn(degrees: number): number {
  return tidy(((degrees % 360) + 360) % 360) % 360;
}
