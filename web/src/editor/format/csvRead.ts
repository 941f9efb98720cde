// A seat map from CSV, a line for each seat: the same rules as the engine's reader.
import {
  STANDARD,
  type Category,
  type ListedSeat,
  type Pool,
  type Row,
  type SeatsPlan,
  type Section,
  type Table,
} from "~/seatmap/plan";
import { edited } from "../document/edit";
import { CsvFault } from "./csvCells";
import { recordsOf, unitOf, type CsvRecord } from "./csvRecords";

/** The plan of a CSV. Throws CsvFault with the line and the column. */
export function readCsv(text: string): SeatsPlan {
  const records = recordsOf(text);
  const prefixes = prefixesOf(records);
  checkUnits(records, prefixes);
  const sections = sectionsOf(records, prefixes);
  const pools = records.flatMap((record) =>
    record.capacity === null
      ? []
      : [
          edited<Pool>(
            { unit: record.seat, capacity: record.capacity },
            categoryOf(record.category),
          ),
        ],
  );
  const categories = categoriesOf(records);
  return edited<SeatsPlan>(
    { type: "seats" },
    {
      ...(sections.length > 0 && { sections }),
      ...(pools.length > 0 && { pools }),
      ...(categories.length > 0 && { categories }),
    },
  );
}

const categoryOf = (category: string | null) => ({ category: category ?? undefined });

function prefixesOf(records: readonly CsvRecord[]): Map<string, string> {
  const sections = new Map<string, string>();
  let isClash = false;
  for (const record of records) {
    if (record.capacity !== null || record.prefix !== null) continue;
    const known = sections.get(unitOf(record)) ?? record.section;
    sections.set(unitOf(record), known);
    isClash ||= known !== record.section;
  }
  return new Map(records.map(({ section }) => [section, isClash ? `${section}-` : ""]));
}

function prefixOf(record: CsvRecord, prefixes: ReadonlyMap<string, string>): string {
  const prefix = record.prefix ?? prefixes.get(record.section) ?? "";
  if ([...prefix].length > 40) throw new CsvFault(record.number, "section", "wrong_value", "≤ 39");
  return prefix;
}

function checkUnits(records: readonly CsvRecord[], prefixes: ReadonlyMap<string, string>): void {
  const lines = new Map<string, number>();
  for (const record of records) {
    const prefix = record.capacity === null ? prefixOf(record, prefixes) : "";
    const unit = prefix + unitOf(record);
    const line = lines.get(unit);
    if (line !== undefined) {
      throw new CsvFault(record.number, "seat", "unit_twice", `${unit.slice(0, 100)} (${line})`);
    }
    lines.set(unit, record.number);
  }
}

type Group = { name: string; table: CsvRecord["table"]; records: CsvRecord[] };

function sectionsOf(
  records: readonly CsvRecord[],
  prefixes: ReadonlyMap<string, string>,
): Section[] {
  const sections = new Map<string, { name: string; prefix: string; groups: Map<string, Group> }>();
  for (const record of records) {
    if (record.capacity !== null) continue;
    const prefix = prefixOf(record, prefixes);
    const id = JSON.stringify([record.section, prefix]);
    const section = sections.get(id) ?? { name: record.section, prefix, groups: new Map() };
    sections.set(id, section);
    const name = record.row ?? "";
    const groupId = JSON.stringify([name, record.table]);
    const group: Group = section.groups.get(groupId) ?? { name, table: record.table, records: [] };
    section.groups.set(groupId, group);
    group.records.push(record);
  }
  return [...sections.values()].map(({ name, prefix, groups }) => {
    const all = [...groups.values()];
    const usual = all[0]?.records[0]?.category ?? STANDARD;
    const rows = all.filter((group) => !group.table).map((group) => rowOf(group, usual));
    const tables = all.filter((group) => group.table).map((group) => tableOf(group, usual));
    return edited<Section>(
      { name },
      {
        ...(rows.length > 0 && { rows }),
        ...(usual !== STANDARD && { category: usual }),
        ...(prefix !== "" && { prefix }),
        ...(tables.length > 0 && { tables }),
      },
    );
  });
}

/** A row; counted if its numbers allow, because that is shorter and says the same. */
function rowOf({ name, records }: Group, usual: string): Row {
  const accessible = new Set(records.flatMap((one) => (one.accessible ? [one.seat] : [])));
  const first = records[0];
  for (const record of records) {
    const wrong = (column: string, code: string) => new CsvFault(record.number, column, code);
    if (record.companionOf !== null && !accessible.has(record.companionOf))
      throw wrong("companion_of", "nobody");
    if (record.companionOf !== null && record.accessible) throw wrong("companion_of", "both");
    if ((record.x === null) !== (first?.x === null)) throw wrong("x", "some_places");
  }
  const categories = new Set(records.map((record) => record.category ?? STANDARD));
  const steps = stepsOf(records.map((record) => record.seat));
  if (steps === null || categories.size > 1 || first?.x !== null) {
    return { name, list: records.map((record) => seatOf(record, usual)) };
  }
  const number = (place: number) => steps.first + place * steps.step;
  const aisles = records.flatMap((one, at) => (one.gap && at > 0 ? [number(at - 1)] : []));
  const companions = records.flatMap((one) =>
    one.companionOf === null ? [] : [{ seat: Number(one.seat), of: Number(one.companionOf) }],
  );
  const category = first.category ?? STANDARD;
  return edited<Row>(
    { name, seats: records.length },
    {
      ...(steps.first !== 1 && { first: steps.first }),
      ...(steps.step !== 1 && { step: steps.step }),
      ...(aisles.length > 0 && { aisles }),
      ...(accessible.size > 0 && { accessible: [...accessible].map(Number) }),
      ...(companions.length > 0 && { companions }),
      ...(category !== usual && { category }),
    },
  );
}

/** The first number and the step of labels that count evenly; null: they do not. */
function stepsOf(labels: readonly string[]): { first: number; step: number } | null {
  if (!labels.every((label) => /^(0|[1-9]\d{0,4})$/u.test(label))) return null;
  const numbers = labels.map(Number);
  const [first = 0, second] = numbers;
  const step = second === undefined ? 1 : second - first;
  const isEven = numbers.every((number, at) => number === first + at * step);
  return isEven && step !== 0 && Math.abs(step) <= 100 ? { first, step } : null;
}

function seatOf(record: CsvRecord, usual: string): ListedSeat {
  const category = record.category ?? STANDARD;
  return edited<ListedSeat>(
    { label: record.seat },
    {
      ...(record.x !== null && { x: record.x, y: record.y }),
      ...(category !== usual && { category }),
      ...(record.accessible && { accessible: true }),
      ...(record.companionOf !== null && { companion_of: record.companionOf }),
      ...(record.gap && { gap: true }),
    },
  );
}

function tableOf({ name, records, table }: Group, usual: string): Table {
  const first = records[0];
  const category = first?.category ?? STANDARD;
  records.forEach((record, at) => {
    const wrong = (column: string, code: string) => new CsvFault(record.number, column, code);
    if (table === "shared" && record.seat !== String(at + 1)) throw wrong("seat", "table_counts");
    if ((record.category ?? STANDARD) !== category) throw wrong("category", "table_category");
    if (record.x !== first?.x || record.y !== first?.y) throw wrong("x", "table_place");
  });
  const seats = table === "whole" ? Number(first?.seat) : records.length;
  if (seats < 1 || seats > 100) throw new CsvFault(first?.number ?? 1, "seat", "table_seats");
  const accessible = records.flatMap((record) => (record.accessible ? [Number(record.seat)] : []));
  return edited<Table>(
    { name, seats },
    {
      ...(category !== usual && { category }),
      ...(table === "whole" && { whole: true }),
      ...(accessible.length > 0 && { accessible }),
      ...(typeof first?.x === "number" && { x: first.x, y: first.y }),
    },
  );
}

/** The categories with their prices, or none if no price is given. */
function categoriesOf(records: readonly CsvRecord[]): Category[] {
  const prices = new Map<string, number | null>();
  for (const record of records) {
    const name = record.category ?? (record.capacity === null ? STANDARD : null);
    if (name === null) continue;
    const known = prices.has(name) ? (prices.get(name) ?? null) : record.price;
    if (record.price !== null && known !== null && known !== record.price) {
      throw new CsvFault(record.number, "price", "price_differs", `${name}: ${known}`);
    }
    prices.set(name, record.price ?? known);
  }
  if ([...prices.values()].every((price) => price === null)) return [];
  return [...prices].map(([name, price]) =>
    edited<Category>({ name }, { ...(price !== null && { price }) }),
  );
}
