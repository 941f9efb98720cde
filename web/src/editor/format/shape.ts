// The form of the open seat map format, as data: which fields there are, of which kind, within which
// bounds. The engine's schema says the same; a test compares the two.

export type Kind =
  | {
      readonly is: "text";
      readonly least: number;
      readonly most: number;
      readonly nullable?: boolean;
    }
  | { readonly is: "color"; readonly nullable?: boolean }
  | {
      readonly is: "number" | "integer";
      readonly least: number;
      readonly most: number;
      readonly nullable?: boolean;
    }
  | { readonly is: "flag" }
  | { readonly is: "word"; readonly of: readonly string[]; readonly nullable?: boolean }
  | { readonly is: "list"; readonly of: Kind; readonly most: number }
  | { readonly is: "point"; readonly nullable?: boolean }
  | { readonly is: "fields"; readonly of: Form; readonly nullable?: boolean }
  | { readonly is: "oneOf"; readonly tag: string; readonly of: Readonly<Record<string, Form>> };

export type Form = {
  readonly needed: readonly string[];
  readonly fields: Readonly<Record<string, Kind>>;
};

const maybe = <K extends Kind>(kind: K): K & { readonly nullable: true } => ({
  ...kind,
  nullable: true,
});
const name: Kind & { is: "text" } = { is: "text", least: 1, most: 100 };
const rowName: Kind & { is: "text" } = { is: "text", least: 1, most: 40 };
const coordinate: Kind & { is: "number" } = { is: "number", least: -1_000_000, most: 1_000_000 };
const length: Kind = { is: "number", least: 0, most: 1_000_000 };
const degrees: Kind = { is: "number", least: -360, most: 360 };
const seatNumber: Kind = { is: "integer", least: 0, most: 2_000_000 };
const numbers: Kind = { is: "list", of: seatNumber, most: 10_000 };
const outline: Kind = { is: "list", of: { is: "point" }, most: 1000 };
const color: Kind & { is: "color" } = { is: "color" };

const COMPANION: Form = { needed: ["seat", "of"], fields: { seat: seatNumber, of: seatNumber } };

const SEAT: Form = {
  needed: ["label"],
  fields: {
    label: rowName,
    x: maybe(coordinate),
    y: maybe(coordinate),
    category: maybe(name),
    accessible: { is: "flag" },
    companion_of: maybe(rowName),
    gap: { is: "flag" },
  },
};

const ROW: Form = {
  needed: ["name"],
  fields: {
    name: rowName,
    seats: { is: "integer", least: 1, most: 10_000 },
    first: { is: "integer", least: 0, most: 100_000 },
    without: numbers,
    step: { is: "integer", least: -100, most: 100 },
    aisles: numbers,
    accessible: numbers,
    companions: { is: "list", of: { is: "fields", of: COMPANION }, most: 10_000 },
    list: { is: "list", of: { is: "fields", of: SEAT }, most: 10_000 },
    category: maybe(name),
    x: maybe(coordinate),
    y: maybe(coordinate),
  },
};

const TABLE: Form = {
  needed: ["name", "seats"],
  fields: {
    name: rowName,
    seats: { is: "integer", least: 1, most: 100 },
    category: maybe(name),
    whole: { is: "flag" },
    accessible: { is: "list", of: seatNumber, most: 100 },
    shape: { is: "word", of: ["rectangle", "round"] },
    x: maybe(coordinate),
    y: maybe(coordinate),
    rotation: degrees,
  },
};

const SECTION: Form = {
  needed: ["name"],
  fields: {
    name,
    rows: { is: "list", of: { is: "fields", of: ROW }, most: 10_000 },
    category: name,
    prefix: { is: "text", least: 0, most: 40 },
    tables: { is: "list", of: { is: "fields", of: TABLE }, most: 10_000 },
    x: maybe(coordinate),
    y: maybe(coordinate),
    rotation: degrees,
    curve: { is: "number", least: 0, most: 180 },
  },
};

const POOL: Form = {
  needed: ["unit", "capacity"],
  fields: {
    unit: name,
    capacity: { is: "integer", least: 0, most: 1_000_000_000 },
    category: maybe(name),
    outline,
  },
};

const CATEGORY: Form = {
  needed: ["name"],
  fields: {
    name,
    price: maybe({ is: "integer", least: 0, most: 1_000_000_000_000 }),
    color: maybe(color),
    rank: { is: "integer", least: 1, most: 1000 },
  },
};

const STAGE: Form = {
  needed: [],
  fields: {
    kind: { is: "word", of: ["screen", "stage"] },
    x: coordinate,
    y: coordinate,
    width: length,
    height: length,
    label: maybe(name),
  },
};

const SHAPES: Readonly<Record<string, Form>> = {
  polygon: {
    needed: ["kind", "points"],
    fields: {
      kind: { is: "word", of: ["polygon"] },
      points: outline,
      fill: maybe(color),
      stroke: maybe(color),
    },
  },
  line: {
    needed: ["kind", "points"],
    fields: { kind: { is: "word", of: ["line"] }, points: outline, stroke: maybe(color) },
  },
  text: {
    needed: ["kind", "text", "x", "y"],
    fields: {
      kind: { is: "word", of: ["text"] },
      text: name,
      x: coordinate,
      y: coordinate,
      size: length,
      rotation: degrees,
    },
  },
};

export const PLAN: Form = {
  needed: ["type"],
  fields: {
    type: { is: "word", of: ["seats"] },
    sections: { is: "list", of: { is: "fields", of: SECTION }, most: 1000 },
    pools: { is: "list", of: { is: "fields", of: POOL }, most: 10_000 },
    categories: { is: "list", of: { is: "fields", of: CATEGORY }, most: 1000 },
    orphans: { is: "word", of: ["lenient", "off", "strict"] },
    focus: { is: "point", nullable: true },
    stage: { is: "fields", of: STAGE, nullable: true },
    shapes: { is: "list", of: { is: "oneOf", tag: "kind", of: SHAPES }, most: 1000 },
  },
};

export const COORDINATE = coordinate;
