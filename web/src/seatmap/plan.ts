// The open seat map format as types, and a reader that takes a document of any origin and gives
// back only what the format knows. What the format means stands in seats.ts and layout.ts.

export type Point = readonly [number, number];

export type Category = {
  readonly name: string;
  readonly price?: number | null;
  readonly color?: string | null;
  readonly rank?: number;
};

export type ListedSeat = {
  readonly label: string;
  readonly x?: number | null;
  readonly y?: number | null;
  readonly category?: string | null;
  readonly accessible?: boolean;
  readonly companion_of?: string | null;
  readonly gap?: boolean;
};

export type Companion = { readonly seat: number; readonly of: number };

export type Row = {
  readonly name: string;
  readonly seats?: number;
  readonly first?: number;
  readonly without?: readonly number[];
  readonly step?: number;
  readonly aisles?: readonly number[];
  readonly accessible?: readonly number[];
  readonly companions?: readonly Companion[];
  readonly list?: readonly ListedSeat[];
  readonly category?: string | null;
  readonly x?: number | null;
  readonly y?: number | null;
};

export type Table = {
  readonly name: string;
  readonly seats: number;
  readonly category?: string | null;
  readonly whole?: boolean;
  readonly accessible?: readonly number[];
  readonly shape?: "round" | "rectangle";
  readonly x?: number | null;
  readonly y?: number | null;
  readonly rotation?: number;
};

export type Section = {
  readonly name: string;
  readonly rows?: readonly Row[];
  readonly category?: string;
  readonly prefix?: string;
  readonly tables?: readonly Table[];
  readonly x?: number | null;
  readonly y?: number | null;
  readonly rotation?: number;
  readonly curve?: number;
};

export type Pool = {
  readonly unit: string;
  readonly capacity: number;
  readonly category?: string | null;
  readonly outline?: readonly Point[];
};

export type Stage = {
  readonly kind?: "stage" | "screen";
  readonly x?: number;
  readonly y?: number;
  readonly width?: number;
  readonly height?: number;
  readonly label?: string | null;
};

export type Shape =
  | {
      readonly kind: "polygon";
      readonly points: readonly Point[];
      readonly fill?: string | null;
      readonly stroke?: string | null;
    }
  | { readonly kind: "line"; readonly points: readonly Point[]; readonly stroke?: string | null }
  | {
      readonly kind: "text";
      readonly text: string;
      readonly x: number;
      readonly y: number;
      readonly size?: number;
      readonly rotation?: number;
    };

export type SeatsPlan = {
  readonly type: "seats";
  readonly sections?: readonly Section[];
  readonly pools?: readonly Pool[];
  readonly categories?: readonly Category[];
  readonly orphans?: "off" | "lenient" | "strict";
  readonly focus?: Point | null;
  readonly stage?: Stage | null;
  readonly shapes?: readonly Shape[];
};

/** The category of a section that names none. */
export const STANDARD = "standard";

/** What the format has where a stage says nothing. */
export const STAGE_DEFAULTS = { kind: "stage", x: 0, y: 0, width: 10, height: 1 } as const;

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;
const real = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;
const many = <T>(value: unknown, read: (one: Fields) => T | null): T[] =>
  Array.isArray(value)
    ? value.flatMap((one) => {
        const kept = isFields(one) ? read(one) : null;
        return kept === null ? [] : [kept];
      })
    : [];
const reals = (value: unknown): number[] =>
  Array.isArray(value) ? value.flatMap((one) => real(one) ?? []) : [];
const color = (value: unknown): string | undefined =>
  typeof value === "string" && /^#[0-9a-f]{6}$/i.test(value) ? value : undefined;

function point(value: unknown): Point | null {
  if (!Array.isArray(value)) return null;
  const x = real(value[0]);
  const y = real(value[1]);
  return x === undefined || y === undefined ? null : [x, y];
}

const points = (value: unknown): Point[] =>
  Array.isArray(value) ? value.flatMap((one) => (point(one) ? [point(one) ?? [0, 0]] : [])) : [];

/** The fields that are there; what is undefined is left out, as the format leaves out defaults. */
function made<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const kept = Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  );
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only undefined was taken out
  return kept as { [K in keyof T]: Exclude<T[K], undefined> };
}

function readSeat(of: Fields): ListedSeat | null {
  const label = text(of["label"]);
  if (label === undefined) return null;
  return made({
    label,
    x: real(of["x"]),
    y: real(of["y"]),
    category: text(of["category"]),
    accessible: of["accessible"] === true || undefined,
    companion_of: text(of["companion_of"]),
    gap: of["gap"] === true || undefined,
  });
}

function readCompanion(of: Fields): Companion | null {
  const seat = real(of["seat"]);
  const other = real(of["of"]);
  return seat === undefined || other === undefined ? null : { seat, of: other };
}

function readRow(of: Fields): Row | null {
  const name = text(of["name"]);
  if (name === undefined) return null;
  return made({
    name,
    seats: real(of["seats"]),
    first: real(of["first"]),
    without: of["without"] === undefined ? undefined : reals(of["without"]),
    step: real(of["step"]),
    aisles: of["aisles"] === undefined ? undefined : reals(of["aisles"]),
    accessible: of["accessible"] === undefined ? undefined : reals(of["accessible"]),
    companions: of["companions"] === undefined ? undefined : many(of["companions"], readCompanion),
    list: of["list"] === undefined ? undefined : many(of["list"], readSeat),
    category: text(of["category"]),
    x: real(of["x"]),
    y: real(of["y"]),
  });
}

function readTable(of: Fields): Table | null {
  const name = text(of["name"]);
  const seats = real(of["seats"]);
  if (name === undefined || seats === undefined) return null;
  return made({
    name,
    seats,
    category: text(of["category"]),
    whole: of["whole"] === true || undefined,
    accessible: of["accessible"] === undefined ? undefined : reals(of["accessible"]),
    shape: of["shape"] === "rectangle" ? ("rectangle" as const) : undefined,
    x: real(of["x"]),
    y: real(of["y"]),
    rotation: real(of["rotation"]),
  });
}

function readSection(of: Fields): Section | null {
  const name = text(of["name"]);
  if (name === undefined) return null;
  return made({
    name,
    rows: of["rows"] === undefined ? undefined : many(of["rows"], readRow),
    category: text(of["category"]),
    prefix: text(of["prefix"]),
    tables: of["tables"] === undefined ? undefined : many(of["tables"], readTable),
    x: real(of["x"]),
    y: real(of["y"]),
    rotation: real(of["rotation"]),
    curve: real(of["curve"]),
  });
}

function readPool(of: Fields): Pool | null {
  const unit = text(of["unit"]);
  const capacity = real(of["capacity"]);
  if (unit === undefined || capacity === undefined) return null;
  const outline = of["outline"] === undefined ? undefined : points(of["outline"]);
  return made({ unit, capacity, category: text(of["category"]), outline });
}

function readCategory(of: Fields): Category | null {
  const name = text(of["name"]);
  if (name === undefined) return null;
  return made({
    name,
    price: real(of["price"]),
    color: color(of["color"]),
    rank: real(of["rank"]),
  });
}

function readStage(of: unknown): Stage | undefined {
  if (!isFields(of)) return undefined;
  return made({
    kind: of["kind"] === "screen" ? ("screen" as const) : undefined,
    x: real(of["x"]),
    y: real(of["y"]),
    width: real(of["width"]),
    height: real(of["height"]),
    label: text(of["label"]),
  });
}

function readShape(of: Fields): Shape | null {
  const stroke = color(of["stroke"]);
  if (of["kind"] === "polygon") {
    const fill = color(of["fill"]);
    return made({ kind: "polygon" as const, points: points(of["points"]), fill, stroke });
  }
  if (of["kind"] === "line") {
    return made({ kind: "line" as const, points: points(of["points"]), stroke });
  }
  const words = text(of["text"]);
  const [x, y] = [real(of["x"]), real(of["y"])];
  if (of["kind"] !== "text" || words === undefined || x === undefined || y === undefined)
    return null;
  const turn = { size: real(of["size"]), rotation: real(of["rotation"]) };
  return made({ kind: "text" as const, text: words, x, y, ...turn });
}

/** A document as a seat map; null where it is none. Fields that the format does not know are left
 * out, so that what comes back can be drawn without looking twice; whether the engine would take it
 * is the engine's to say. */
export function readPlan(document: unknown): SeatsPlan | null {
  if (!isFields(document) || document["type"] !== "seats") return null;
  const { orphans } = document;
  return made({
    type: "seats" as const,
    sections: many(document["sections"], readSection),
    pools: many(document["pools"], readPool),
    categories: many(document["categories"], readCategory),
    orphans:
      orphans === "strict" || orphans === "lenient" ? (orphans as "strict" | "lenient") : undefined,
    focus: point(document["focus"]) ?? undefined,
    stage: readStage(document["stage"]),
    shapes: many(document["shapes"], readShape),
  });
}
