// The open seat map format: for each part of a document a reader, and the type of what it gives. What
// the format means stands in seats.ts and layout.ts.
import { isRecord } from "~/api/record";

/** Reads a value; undefined where it is absent or not of the format. */
type Reader<T> = (value: unknown) => T | undefined;
type Fields = Readonly<Record<string, Reader<unknown>>>;
type ValueOf<R> = R extends Reader<infer T> ? T : never;
type ObjectOf<Required, Optional> = {
  readonly [K in keyof Required]: ValueOf<Required[K]>;
} & { readonly [K in keyof Optional]?: ValueOf<Optional[K]> };

const text: Reader<string> = (value) =>
  typeof value === "string" && value !== "" ? value : undefined;
const real: Reader<number> = (value) =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;
const flag: Reader<boolean> = (value) => value === true || undefined;
const color: Reader<string> = (value) =>
  typeof value === "string" && /^#[0-9a-f]{6}$/i.test(value) ? value : undefined;
const nullable = <T>(read: Reader<T>): Reader<T | null> => read;

/** One of these words; the default of the format is none of them, so that it is left out. */
const word =
  <T extends string>(...words: readonly T[]): Reader<T> =>
  (value) =>
    words.find((one) => one === value);

/** What can be read of an array, or nothing of anything else. */
const all =
  <T>(read: Reader<T>): Reader<readonly T[]> =>
  (value) =>
    Array.isArray(value) ? value.map(read).filter((one) => one !== undefined) : [];

const list =
  <T>(read: Reader<T>): Reader<readonly T[]> =>
  (value) =>
    value === undefined ? undefined : all(read)(value);

/** An object with these fields; unknown fields and those that cannot be read are left out. */
function object<R extends Fields, O extends Fields>(
  required: R,
  optional: O,
): Reader<ObjectOf<R, O>> {
  const fields = Object.entries({ ...required, ...optional });
  return (value) => {
    if (!isRecord(value)) return undefined;
    const made: Record<string, unknown> = {};
    for (const [name, read] of fields) {
      const found = read(value[name]);
      if (found !== undefined) made[name] = found;
      else if (Object.hasOwn(required, name)) return undefined;
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each field was read
    return made as ObjectOf<R, O>;
  };
}

export type Point = readonly [number, number];
const point: Reader<Point> = (value) => {
  const [x, y] = all(real)(Array.isArray(value) ? value.slice(0, 2) : []) ?? [];
  return x === undefined || y === undefined ? undefined : [x, y];
};

export type Category = ValueOf<typeof category>;
const category = object(
  { name: text },
  { price: nullable(real), color: nullable(color), rank: real },
);

export type ListedSeat = ValueOf<typeof listedSeat>;
const listedSeat = object(
  { label: text },
  {
    x: nullable(real),
    y: nullable(real),
    category: nullable(text),
    accessible: flag,
    companion_of: nullable(text),
    gap: flag,
  },
);

export type Row = ValueOf<typeof row>;
const row = object(
  { name: text },
  {
    seats: real,
    first: real,
    without: list(real),
    step: real,
    aisles: list(real),
    accessible: list(real),
    companions: list(object({ seat: real, of: real }, {})),
    list: list(listedSeat),
    category: nullable(text),
    x: nullable(real),
    y: nullable(real),
  },
);

export type Table = ValueOf<typeof table>;
const table = object(
  { name: text, seats: real },
  {
    category: nullable(text),
    whole: flag,
    accessible: list(real),
    shape: word<"round" | "rectangle">("rectangle"),
    x: nullable(real),
    y: nullable(real),
    rotation: real,
  },
);

export type Section = ValueOf<typeof section>;
const section = object(
  { name: text },
  {
    rows: list(row),
    category: text,
    prefix: text,
    tables: list(table),
    x: nullable(real),
    y: nullable(real),
    rotation: real,
    curve: real,
  },
);

export type Pool = ValueOf<typeof pool>;
const pool = object(
  { unit: text, capacity: real },
  { category: nullable(text), outline: list(point) },
);

export type Stage = ValueOf<typeof stage>;
const stage = object(
  {},
  {
    kind: word<"stage" | "screen">("screen"),
    x: real,
    y: real,
    width: real,
    height: real,
    label: nullable(text),
  },
);

const polygon = object(
  { kind: word("polygon"), points: all(point) },
  { fill: nullable(color), stroke: nullable(color) },
);
const line = object({ kind: word("line"), points: all(point) }, { stroke: nullable(color) });
const label = object(
  { kind: word("text"), text, x: real, y: real },
  { size: real, rotation: real },
);

export type Shape = ValueOf<typeof polygon> | ValueOf<typeof line> | ValueOf<typeof label>;
const shape: Reader<Shape> = (value) => polygon(value) ?? line(value) ?? label(value);

/** Texts by what they are called. */
const words: Reader<Readonly<Record<string, string>>> = (value) =>
  isRecord(value)
    ? Object.fromEntries(
        Object.entries(value).filter((one): one is [string, string] => text(one[1]) !== undefined),
      )
    : undefined;
const translation = object({ language: text, words }, {});

export type SeatsPlan = ValueOf<typeof plan>;
const plan = object(
  { type: word("seats") },
  {
    sections: all(section),
    pools: all(pool),
    categories: all(category),
    orphans: word<"off" | "lenient" | "strict">("lenient", "strict"),
    focus: nullable(point),
    stage: nullable(stage),
    shapes: all(shape),
    translations: list(translation),
  },
);

/** The category of a section that names none. */
export const STANDARD = "standard";

/** What the format has where a stage says nothing. */
export const STAGE_DEFAULTS = { kind: "stage", x: 0, y: 0, width: 10, height: 1 } as const;

/** A document as a seat map; null where it is none. Whatever the format does not know is left out, so
 * that the result can be drawn; whether the engine accepts it is the engine's to say. */
export function readPlan(document: unknown): SeatsPlan | null {
  return plan(document) ?? null;
}
