// Small changes of immutable documents: a field set or taken away, an item of a list replaced. What
// is not touched is shared with the document before, so that undo costs nothing.
import type { Pool, Row, SeatsPlan, Section, Shape, Table } from "~/seatmap/plan";
import type { Key } from "./items";

/** A plan after a command, and what is selected then. */
export type Edited = { readonly plan: SeatsPlan; readonly selection: readonly Key[] };

type Changes<T> = { [K in keyof T]?: T[K] | undefined };

/** The same with some fields changed, in their order; `undefined` takes a field away. */
export function edited<T extends object>(of: T, changes: Changes<T>): T {
  const made = { ...of, ...changes };
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) Reflect.deleteProperty(made, name);
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only undefined was taken out
  return made as T;
}

/** A list with one item replaced, or taken away by null. */
export function replaced<T>(list: readonly T[] | undefined, at: number, by: T | null): T[] {
  const made = [...(list ?? [])];
  if (at < 0 || at >= made.length) return made;
  if (by === null) made.splice(at, 1);
  else made[at] = by;
  return made;
}

/** A list for an optional field: nothing where it is empty. */
export function orNothing<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}

export function withSection(
  plan: SeatsPlan,
  at: number,
  change: (section: Section) => Section | null,
): SeatsPlan {
  const section = plan.sections?.[at];
  if (section === undefined) return plan;
  const made = change(section);
  return made === section ? plan : edited(plan, { sections: replaced(plan.sections, at, made) });
}

export function withRow(
  plan: SeatsPlan,
  section: number,
  at: number,
  change: (row: Row, section: Section) => Row | null,
): SeatsPlan {
  return withSection(plan, section, (of) => {
    const row = of.rows?.[at];
    if (row === undefined) return of;
    const made = change(row, of);
    return made === row ? of : edited(of, { rows: replaced(of.rows, at, made) });
  });
}

export function withTable(
  plan: SeatsPlan,
  section: number,
  at: number,
  change: (table: Table) => Table | null,
): SeatsPlan {
  return withSection(plan, section, (of) => {
    const table = of.tables?.[at];
    if (table === undefined) return of;
    const made = change(table);
    return made === table ? of : edited(of, { tables: replaced(of.tables, at, made) });
  });
}

export function withPool(
  plan: SeatsPlan,
  at: number,
  change: (pool: Pool) => Pool | null,
): SeatsPlan {
  const pool = plan.pools?.[at];
  if (pool === undefined) return plan;
  return edited(plan, { pools: replaced(plan.pools, at, change(pool)) });
}

export function withShape(
  plan: SeatsPlan,
  at: number,
  change: (shape: Shape) => Shape | null,
): SeatsPlan {
  const shape = plan.shapes?.[at];
  if (shape === undefined) return plan;
  return edited(plan, { shapes: replaced(plan.shapes, at, change(shape)) });
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
