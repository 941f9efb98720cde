// Positions of the seats. A plan may give them; otherwise rows are centred one behind the other,
// and sections likewise. The engine has the same rule: it stands here too because the map and the
// editor draw without asking the server. vectors.json ties the two together.
import { STAGE_DEFAULTS, type Point, type SeatsPlan, type Section, type Stage } from "./plan";
import { seatRows, type SeatRow } from "./seats";

/** x and y of each seat, in pairs; the unit is one seat. */
export type Places = Float64Array;

export type Bank = SeatRow & { readonly start: number; readonly stop: number };

export type TablePlace = { x: number; y: number; turn: number };

export type Layout = {
  readonly banks: readonly Bank[];
  readonly places: Places;
  readonly tables: ReadonlyMap<Bank, TablePlace>;
  /** Where each section's own coordinates begin. */
  readonly origins: readonly Point[];
  /** The y at which the next section without a position would start. */
  readonly behind: number;
};

const BETWEEN_SECTIONS = 2;
export const BETWEEN_TABLES = 2;

export const radians = (degrees: number): number => (degrees * Math.PI) / 180;

export function layOut(plan: SeatsPlan): Layout {
  const banks: Bank[] = [];
  let seats = 0;
  for (const row of seatRows(plan)) {
    if (row.spots.length === 0) continue;
    banks.push({ ...row, start: seats, stop: seats + row.spots.length });
    seats += row.spots.length;
  }
  const places = new Float64Array(seats * 2);
  const tables = new Map<Bank, TablePlace>();
  const origins: Point[] = (plan.sections ?? []).map(() => [0, 0]);
  const bySection = new Map<number, Bank[]>();
  for (const bank of banks) {
    const own = bySection.get(bank.section);
    if (own === undefined) bySection.set(bank.section, [bank]);
    else own.push(bank);
  }
  let cursor = firstRow(plan.stage);
  (plan.sections ?? []).forEach((section, number) => {
    const own = bySection.get(number);
    const first = own?.[0];
    const last = own?.at(-1);
    if (own === undefined || first === undefined || last === undefined) return;
    const local = places.subarray(first.start * 2, last.stop * 2);
    const isPlaced = layOutSection(section, own, places, tables);
    let origin: Point = [0, 0];
    if (isNumber(section.x) && isNumber(section.y)) {
      origin = [section.x, section.y];
    } else if (!isPlaced) {
      const [low, high] = depths(local);
      // A curved row must not overlap the section before it.
      origin = [plan.stage?.x ?? 0, cursor - Math.min(0, low)];
      cursor = origin[1] + Math.max(0, high) + BETWEEN_SECTIONS;
    }
    origins[number] = origin;
    const turn = section.rotation ?? 0;
    turnAll(local, turn);
    shiftAll(local, ...origin);
    for (const bank of own) {
      const table = tables.get(bank);
      if (table === undefined) continue;
      const [x, y] = turned([table.x, table.y], turn);
      tables.set(bank, { x: x + origin[0], y: y + origin[1], turn: table.turn + turn });
    }
  });
  return { banks, places, tables, origins, behind: cursor };
}

function isNumber(value: number | null | undefined): value is number {
  return typeof value === "number";
}

function firstRow(stage: Stage | null | undefined): number {
  if (!stage) return 0;
  const { y, height } = { ...STAGE_DEFAULTS, ...stage };
  return y + height / 2 + BETWEEN_SECTIONS;
}

function depths(local: Places): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (let at = 1; at < local.length; at += 2) {
    const y = local[at] ?? 0;
    if (y < low) low = y;
    if (y > high) high = y;
  }
  return [low, high];
}

/** How a row stands in its section: its middle, its length, and its radius where it is bent. */
export type Frame = {
  readonly bank: SeatRow;
  readonly x: number;
  readonly y: number;
  readonly length: number;
  readonly radius: number | null;
};

/** The rows of a section that stand in a line, one behind the other, and how deep they reach. */
export function framesOf<Row extends SeatRow>(
  { curve }: Section,
  banks: readonly Row[],
): { frames: (Frame & { readonly bank: Row })[]; depth: number } {
  const frames: (Frame & { readonly bank: Row })[] = [];
  let depth = 0;
  let bend: { y: number; radius: number } | null = null;
  for (const bank of banks) {
    if (bank.kind === "table" || isNumber(bank.spots[0]?.x)) continue;
    const y = bank.part.y ?? depth;
    const length = bank.spots.at(-1)?.offset ?? 0;
    if (bend === null && curve) bend = { y, radius: (length + 1) / radians(curve) };
    // A row is at most half a circle.
    const radius = bend && Math.max(bend.radius + y - bend.y, (length + 1) / Math.PI);
    frames.push({ bank, x: bank.part.x ?? 0, y, length, radius });
    depth = y + 1;
  }
  return { frames, depth };
}

/** The place so far along a row: on a line, or on an arc about the common centre of the rows. */
export function along({ x, y, length, radius }: Omit<Frame, "bank">, offset: number): Point {
  const at = offset - length / 2 + x;
  if (radius === null) return [at, y];
  const angle = at / radius;
  return [radius * Math.sin(angle), y - radius * (1 - Math.cos(angle))];
}

/** Fills in the positions within a section; returns whether the plan gave some. */
function layOutSection(
  section: Section,
  banks: readonly Bank[],
  places: Places,
  tables: Map<Bank, TablePlace>,
): boolean {
  const { frames, depth } = framesOf(section, banks);
  const put = (seat: number, [x, y]: Point) => {
    places[seat * 2] = x;
    places[seat * 2 + 1] = y;
  };
  for (const { bank, ...frame } of frames)
    bank.spots.forEach(({ offset }, place) => put(bank.start + place, along(frame, offset)));
  const listed = banks.filter((bank) => bank.kind === "row" && isNumber(bank.spots[0]?.x));
  for (const bank of listed)
    bank.spots.forEach(({ x, y }, place) => put(bank.start + place, [x ?? 0, y ?? 0]));
  const round = banks.filter((bank) => bank.kind === "table");
  return layOutTables(round, depth, places, tables) || listed.length > 0;
}

/** Tables are placed by the plan, or else in a square behind the rows. */
function layOutTables(
  banks: readonly Bank[],
  depth: number,
  places: Places,
  tables: Map<Bank, TablePlace>,
): boolean {
  const reach = Math.max(...banks.map((bank) => tableRadius(bank.spots.length)));
  const square = squareOf(banks.length, reach, depth);
  let isPlaced = false;
  banks.forEach((bank, number) => {
    if (bank.kind !== "table") return;
    const { part } = bank;
    const own = aroundTable(bank.spots.length, part.shape !== "rectangle");
    turnAll(own, part.rotation ?? 0);
    let middle = square(number);
    if (isNumber(part.x) && isNumber(part.y)) {
      middle = [part.x, part.y];
      isPlaced = true;
    }
    shiftAll(own, ...middle);
    places.set(own, bank.start * 2);
    tables.set(bank, { x: middle[0], y: middle[1], turn: part.rotation ?? 0 });
  });
  return isPlaced;
}

/** The centres of tables in a square that starts at a depth. */
export function squareOf(
  count: number,
  reach: number,
  depth: number,
): (number: number) => readonly [number, number] {
  const cell = 2 * reach + BETWEEN_TABLES;
  const columns = Math.ceil(Math.sqrt(count));
  return (number) => [
    ((number % columns) - (columns - 1) / 2) * cell,
    depth + reach + Math.floor(number / columns) * cell,
  ];
}

/** The radius of a round table, so that its seats are 1 apart. */
export function tableRadius(seats: number): number {
  return Math.max(1, seats / (2 * Math.PI));
}

/** The seats of a table about its centre: clockwise from the top, or along its two long sides, so
 * that the last is beside the first. */
export function aroundTable(seats: number, isRound: boolean): Places {
  const places = new Float64Array(seats * 2);
  const radius = tableRadius(seats);
  const side = Math.floor((seats + 1) / 2);
  for (let seat = 0; seat < seats; seat += 1) {
    const angle = seat * ((2 * Math.PI) / seats);
    const place = seat < side ? seat : 2 * side - 1 - seat;
    places[seat * 2] = isRound ? radius * Math.sin(angle) : place - (side - 1) / 2;
    places[seat * 2 + 1] = isRound ? -radius * Math.cos(angle) : seat < side ? -1 : 1;
  }
  return places;
}

/** A place turned clockwise about the origin; y points down. */
export function turned([x, y]: Point, degrees: number): Point {
  if (degrees === 0) return [x, y];
  const [cosine, sine] = [Math.cos(radians(degrees)), Math.sin(radians(degrees))];
  return [x * cosine - y * sine, x * sine + y * cosine];
}

/** The same of many places, in place. */
function turnAll(places: Places, degrees: number): void {
  if (degrees === 0) return;
  const cosine = Math.cos(radians(degrees));
  const sine = Math.sin(radians(degrees));
  for (let at = 0; at < places.length; at += 2) {
    const x = places[at] ?? 0;
    const y = places[at + 1] ?? 0;
    places[at] = x * cosine - y * sine;
    places[at + 1] = x * sine + y * cosine;
  }
}

function shiftAll(places: Places, x: number, y: number): void {
  for (let at = 0; at < places.length; at += 2) {
    places[at] = (places[at] ?? 0) + x;
    places[at + 1] = (places[at + 1] ?? 0) + y;
  }
}
