// The lines of a seat map in CSV, each checked for itself, as the engine's reader checks them.
import { UNITS_MAX } from "../document/problems";
import { CsvFault, linesOf, type CsvLine } from "./csvCells";

export const NEEDED = ["section", "row", "seat"] as const;
export const USUAL = [
  ...NEEDED,
  "category",
  "x",
  "y",
  "accessible",
  "companion_of",
  "price",
] as const;
export const RARE = ["prefix", "gap", "table", "capacity"] as const;
export type Column = (typeof USUAL)[number] | (typeof RARE)[number];

/** One line: a seat of a row or a table, a whole table, or with a capacity an area. */
export type CsvRecord = {
  readonly number: number;
  readonly section: string;
  readonly row: string | null;
  readonly seat: string;
  readonly category: string | null;
  readonly x: number | null;
  readonly y: number | null;
  readonly accessible: boolean;
  readonly companionOf: string | null;
  readonly price: number | null;
  readonly prefix: string | null;
  readonly gap: boolean;
  readonly table: "shared" | "whole" | null;
  readonly capacity: number | null;
};

const isColumn = (name: string): name is Column =>
  [...USUAL, ...RARE].some((column) => column === name);

/** The records of a CSV. Throws CsvFault. */
export function recordsOf(text: string): CsvRecord[] {
  const lines = linesOf(text);
  const first = lines.next();
  const columns = columnsOf(first.done ? [] : first.value.cells);
  const records: CsvRecord[] = [];
  for (const line of lines) {
    if (!line.cells.some((cell) => cell.trim() !== "")) continue;
    if (records.length >= UNITS_MAX)
      throw new CsvFault(line.number, "seat", "too_many_lines", String(UNITS_MAX));
    records.push(recordOf(line, columns));
  }
  return records;
}

function columnsOf(cells: readonly string[]): Column[] {
  const columns: Column[] = [];
  for (const cell of cells) {
    const name = cell.trim().toLowerCase();
    if (!isColumn(name) || columns.includes(name)) {
      throw new CsvFault(1, name.slice(0, 40), "unknown_column");
    }
    columns.push(name);
  }
  for (const needed of NEEDED) {
    if (!columns.includes(needed)) throw new CsvFault(1, needed, "needed_column");
  }
  return columns;
}

function recordOf({ number, cells }: CsvLine, columns: readonly Column[]): CsvRecord {
  if (cells.length > columns.length) {
    throw new CsvFault(number, columns.at(-1) ?? "seat", "too_many_cells");
  }
  const values = new Map(columns.map((column, at) => [column, (cells[at] ?? "").trim()]));
  const wrong = (column: Column, detail: string) =>
    new CsvFault(number, column, "wrong_value", detail);
  const text = (column: Column, most: number): string | null => {
    const value = values.get(column) || null;
    if (value !== null && [...value].length > most) throw wrong(column, `≤ ${most}`);
    // oxlint-disable-next-line no-control-regex -- they are what is refused
    if (value !== null && /[\u0000-\u001f\u007f]/u.test(value)) throw wrong(column, "");
    return value;
  };
  const real = (column: Column): number | null => {
    const value = values.get(column) || null;
    if (value === null) return null;
    const made = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/iu.test(value)
      ? Number(value)
      : Number.NaN;
    if (!(Math.abs(made) <= 1_000_000)) throw wrong(column, value.slice(0, 40));
    return made;
  };
  const whole = (column: Column, most: number): number | null => {
    const value = values.get(column) || null;
    if (value === null) return null;
    if (!/^(0|[1-9]\d{0,14})$/u.test(value) || Number(value) > most)
      throw wrong(column, value.slice(0, 40));
    return Number(value);
  };
  const flag = (column: Column): boolean => {
    const value = (values.get(column) ?? "").toLowerCase();
    if (!["", "yes", "no", "true", "false", "1", "0"].includes(value))
      throw wrong(column, "yes, no");
    return value === "yes" || value === "true" || value === "1";
  };
  const table = values.get("table") || null;
  if (table !== null && table !== "shared" && table !== "whole")
    throw wrong("table", "shared, whole");
  const seat = text("seat", 100);
  if (seat === null) throw wrong("seat", "");
  const record: CsvRecord = {
    number,
    seat,
    section: text("section", 100) ?? "Seats",
    row: text("row", 40),
    category: text("category", 100),
    x: real("x"),
    y: real("y"),
    accessible: flag("accessible"),
    companionOf: text("companion_of", 40),
    price: whole("price", 1_000_000_000_000),
    prefix: text("prefix", 40),
    gap: flag("gap"),
    table,
    capacity: whole("capacity", 1_000_000_000),
  };
  checkKind(record);
  return record;
}

/** What a line may say depends on whether it is a seat, a table or an area. */
function checkKind(record: CsvRecord): void {
  const wrong = (column: Column, code: string) => new CsvFault(record.number, column, code);
  if ((record.x === null) !== (record.y === null)) {
    throw wrong(record.x === null ? "x" : "y", "half_place");
  }
  if (record.capacity !== null) {
    const said: [Column, unknown][] = [
      ["row", record.row],
      ["table", record.table],
      ["x", record.x],
      ["accessible", record.accessible],
      ["companion_of", record.companionOf],
      ["gap", record.gap],
      ["prefix", record.prefix],
    ];
    const extra = said.find(([, value]) => Boolean(value));
    if (extra) throw wrong(extra[0], "of_an_area");
    if (record.price !== null && record.category === null)
      throw wrong("category", "price_of_category");
    return;
  }
  if (record.row === null) throw wrong("row", "seat_has_row");
  if ([...record.seat].length > 40) throw wrong("seat", "long_label");
  if (record.table && !/^\d+$/u.test(record.seat)) throw wrong("seat", "table_numbers");
  if (record.table && (record.companionOf || record.gap)) throw wrong("table", "table_has_none");
  if (record.table === "whole" && record.accessible) throw wrong("accessible", "whole_table");
}

/** The unit of a line, without a prefix. */
export function unitOf(record: CsvRecord): string {
  if (record.capacity !== null) return record.seat;
  if (record.table === "whole") return record.row ?? "";
  return `${record.row}${record.table ? "-" : ""}${record.seat}`;
}
