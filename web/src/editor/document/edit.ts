// Small changes of immutable documents: a field set or taken away, an item of a list replaced. What
// is not touched is shared with the document before, so that undo costs nothing.
import type { Pool, Row, SeatsPlan, Section, Shape, Table } from "~/seatmap/plan";
import type { Key } from "./items";

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
type Listed<T> = T extends readonly (infer Item)[] ? Item : never;

/** The same with one item of a list changed, or taken away by null. */
function changedIn<T extends object, N extends keyof T>(
  of: T,
  name: N,
  at: number,
  change: Change<Listed<T[N]>>,
): T {
  const list: unknown = of[name];
  if (!Array.isArray(list) || list[at] === undefined) return of;
  const made = change(list[at]);
  if (made === list[at]) return of;
  return { ...of, [name]: made === null ? list.toSpliced(at, 1) : list.with(at, made) };
}

export const withSection = (plan: SeatsPlan, at: number, change: Change<Section>): SeatsPlan =>
  changedIn(plan, "sections", at, change);

export const withRow = (plan: SeatsPlan, section: number, at: number, change: Change<Row>) =>
  withSection(plan, section, (of) => changedIn(of, "rows", at, change));

export const withTable = (plan: SeatsPlan, section: number, at: number, change: Change<Table>) =>
  withSection(plan, section, (of) => changedIn(of, "tables", at, change));

export const withPool = (plan: SeatsPlan, at: number, change: Change<Pool>): SeatsPlan =>
  changedIn(plan, "pools", at, change);

export const withShape = (plan: SeatsPlan, at: number, change: Change<Shape>): SeatsPlan =>
  changedIn(plan, "shapes", at, change);

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
