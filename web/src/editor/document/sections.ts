// Commands on the rows of a section: how many there are, what they are called, how they are numbered,
// and on single seats by their place.
import type { ListedSeat, Row, SeatsPlan, Section } from "~/seatmap/plan";
import { edited, tidy, withRow, withSection } from "./edit";
import { along, framesOf, offsetsOf } from "./frames";
import { tableKey } from "./items";
import { pin } from "./moves";
import { freePrefix, nextRowName } from "./freeNames";
import {
  firstOf,
  isListed,
  missingOf,
  numberAt,
  renumberFrom,
  reverse,
  rowName,
  setSeats,
  stepOf,
  toggleMissing,
} from "./rows";
import { sceneOf, toSection } from "./scene";

const ROWS_MAX = 10_000;

/** A section with so many rows: more behind, each as the last one is, or fewer. */
export function setRows(plan: SeatsPlan, at: number, count: number): SeatsPlan {
  if (!Number.isInteger(count) || count < 1 || count > ROWS_MAX) return plan;
  const made = withSection(plan, at, (section) => {
    let rows = section.rows ?? [];
    if (count < rows.length) return edited(section, { rows: rows.slice(0, count) });
    while (rows.length < count) {
      rows = [...rows, rowBehind(edited(section, { rows }))];
    }
    return edited(section, { rows });
  });
  return withFreePrefix(made, at);
}

/** A row like the last, without what is said of its single seats. */
function rowBehind(section: Section): Row {
  const last = section.rows?.at(-1);
  const name = nextRowName(section);
  if (last === undefined) return { name, seats: 10 };
  const counted: Row = { name, seats: last.seats ?? last.list?.length ?? 10 };
  return edited(counted, {
    first: last.first,
    step: last.step,
    aisles: last.aisles,
    category: last.category ?? undefined,
    x: last.x ?? undefined,
  });
}

export function setRowSeats(plan: SeatsPlan, at: number, seats: number): SeatsPlan {
  return withRows(plan, at, (row) => setSeats(row, seats));
}

const withRows = (plan: SeatsPlan, at: number, change: (row: Row) => Row): SeatsPlan =>
  withSection(plan, at, (section) => {
    const rows = (section.rows ?? []).map(change);
    const isSame = rows.every((row, number) => row === section.rows?.[number]);
    return isSame ? section : edited(section, { rows });
  });

/** The plan whose section has a prefix under which no unit of it has the name of another. */
export function withFreePrefix(plan: SeatsPlan, at: number): SeatsPlan {
  return withSection(plan, at, (section) => {
    const prefix = freePrefix(plan, section, at);
    return prefix === (section.prefix ?? "") ? section : edited(section, { prefix });
  });
}

export function numberSeats(plan: SeatsPlan, at: number, first: number, step: number): SeatsPlan {
  return withRows(plan, at, (row) => renumberFrom(row, first, Math.abs(step)));
}

export function reverseSeats(plan: SeatsPlan, at: number): SeatsPlan {
  return withRows(plan, at, reverse);
}

type RowNaming = {
  readonly letters: boolean;
  /** The letter or number of the first row, from 0 on (A) or as it is written (1). */
  readonly first: number;
  readonly fromBack: boolean;
  /** Leaves out I and O, which look like numbers. */
  readonly clear: boolean;
};

export function nameRows(plan: SeatsPlan, at: number, naming: RowNaming): SeatsPlan {
  const made = withSection(plan, at, (section) => {
    const rows = section.rows ?? [];
    const names = rowNames(naming, rows.length);
    if (naming.fromBack) names.reverse();
    return edited(section, {
      rows: rows.map((row, number) => ({ ...row, name: names[number] ?? row.name })),
    });
  });
  return withFreePrefix(made, at);
}

function rowNames(naming: RowNaming, count: number): string[] {
  const names: string[] = [];
  const first = Math.max(0, naming.first);
  // Row 1, seat 11 must not be row 11, seat 1: numbers are all as long as the last.
  const digits = String(first + count - 1).length;
  for (let number = first; names.length < count; number += 1) {
    const name = naming.letters ? rowName(number) : String(number).padStart(digits, "0");
    if (!naming.letters || !naming.clear || !/[IO]/u.test(name)) names.push(name);
  }
  return names;
}

/** Takes a seat away or puts it back; a row without seats goes, and a section without anything. */
export function eraseSeat(plan: SeatsPlan, section: number, row: number, place: number): SeatsPlan {
  const made = withRow(plan, section, row, (of) => toggleMissing(of, place));
  const left = made.sections?.[section];
  const isBare = left !== undefined && !left.rows?.length && !left.tables?.length;
  return isBare ? withSection(made, section, () => null) : made;
}

/** The same row with each seat written down, where it stands now. A row that is listed stays as it
 * is. */
export function listSeats(plan: SeatsPlan, section: number, at: number): SeatsPlan {
  const row = plan.sections?.[section]?.rows?.[at];
  if (row === undefined || isListed(row)) return plan;
  const offsets = offsetsOf(row);
  const missing = missingOf(row);
  const there = offsets.flatMap((offset, place) => (missing.has(place) ? [] : [{ offset, place }]));
  const jumps = there.map(({ offset }, number) => offset - (there[number - 1]?.offset ?? offset));
  const lead = there[0]?.offset ?? 0;
  // A gap is the room of one seat; where more is left out, each seat says where it stands. But the
  // row that bends a section must stay in line, or all would bend otherwise: its seats close up.
  const frames = framesOf(plan.sections?.[section] ?? { name: "" });
  const frame = frames.find((one) => one.row === at);
  const bends = Boolean(plan.sections?.[section]?.curve) && frames[0] === frame;
  const isPlain = bends || jumps.every((jump) => jump <= 2);
  const pinned = isPlain ? plan : keepBehind(pin(plan, section), section, at);
  return withRow(pinned, section, at, (of) => {
    const list = there.map(({ offset, place }, number) => {
      const own = numberAt(of, place);
      const spot = isPlain || !frame ? null : along(frame, offset);
      const companion = of.companions?.find((one) => one.seat === own);
      return edited<ListedSeat>(
        { label: String(own) },
        {
          ...(spot && { x: tidy(spot[0]), y: tidy(spot[1]) }),
          accessible: of.accessible?.includes(own) || undefined,
          companion_of: companion ? String(companion.of) : undefined,
          gap: (jumps[number] ?? 0) > 1 || undefined,
        },
      );
    });
    const { name, category, y } = of;
    const x = tidy((of.x ?? 0) + lead / 2) || undefined;
    return edited<Row>({ name, list }, { category, ...(isPlain && { x, y }) });
  });
}

/** The row and the tables behind one that no longer takes part in the line keep their places. */
function keepBehind(plan: SeatsPlan, section: number, at: number): SeatsPlan {
  const behind = framesOf(plan.sections?.[section] ?? { name: "" }).find((one) => one.row > at);
  const { origins, tables: shown } = sceneOf(plan);
  const origin = origins[section];
  const kept = withSection(plan, section, (of) =>
    edited(of, {
      tables: of.tables?.map((table, number) => {
        const place = shown.get(tableKey(section, number));
        if (!origin || !place || typeof table.x === "number") return table;
        const [x, y] = toSection(origin, [place.x, place.y]);
        return edited(table, { x: tidy(x), y: tidy(y) });
      }),
    }),
  );
  if (behind === undefined) return kept;
  return withRow(kept, section, behind.row, (row) => edited(row, { y: tidy(behind.y) }));
}

/** The category of one seat, whose row lists its seats from then on. */
export function setSeatCategory(
  plan: SeatsPlan,
  section: number,
  at: number,
  place: number,
  category: string,
): SeatsPlan {
  const row = plan.sections?.[section]?.rows?.[at];
  if (row === undefined) return plan;
  const missing = missingOf(row);
  const index = isListed(row)
    ? place
    : [...Array(place).keys()].filter((before) => !missing.has(before)).length;
  return withRow(listSeats(plan, section, at), section, at, (of) => ({
    ...of,
    list: (of.list ?? []).map((seat, number) => (number === index ? { ...seat, category } : seat)),
  }));
}

/** A counted row's numbers as a person writes them: 7, 14, 20-22. Null for what makes no sense. */
export function readNumbers(text: string): number[] | null {
  const numbers: number[] = [];
  for (const part of text.split(/[\s,;]+/u).filter(Boolean)) {
    const found = /^(\d{1,7})(?:[-–](\d{1,7}))?$/u.exec(part);
    const from = Number(found?.[1]);
    const to = found?.[2] === undefined ? from : Number(found[2]);
    if (!found || to < from || to - from > ROWS_MAX) return null;
    for (let number = from; number <= to; number += 1) numbers.push(number);
  }
  return [...new Set(numbers)];
}

/** The first number that people see at a row: of a row that counts back, that at its end. */
export const lowestOf = (row: Row): number =>
  stepOf(row) < 0 ? numberAt(row, (row.seats ?? 1) - 1) : firstOf(row);
