// A room compiled for drawing and queries: flat arrays by unit, fast with 200,000 seats.
import {
  BETWEEN_TABLES,
  layOut,
  squareOf,
  tableRadius,
  turned,
  type Bank,
  type Layout,
  type TablePlace,
} from "./layout";
import { around, boxOf, boxOfPlaces, grown, middleOf, NOWHERE, union, type Box } from "./box";
import { STAGE_DEFAULTS, STANDARD, type Point, type SeatsPlan, type Table } from "./plan";
import type { Vocabulary } from "./vocabulary";

export { boxOf, isWithin, middleOf, NOWHERE, union, type Box } from "./box";

export type RoomCategory = {
  readonly name: string;
  readonly color: string | null;
  readonly rank: number;
  readonly price: number | null;
};

export type RoomBank = {
  readonly section: number;
  readonly kind: "row" | "table";
  readonly name: string;
  readonly start: number;
  readonly stop: number;
};

/** A table. `unit` is its unit if it is sold whole, or else -1. */
export type RoomTable = {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly turn: number;
  readonly isRound: boolean;
  readonly seats: number;
  readonly radius: number;
  readonly unit: number;
};

export type RoomPool = {
  readonly unit: string;
  readonly capacity: number;
  readonly category: string | null;
  /** The plan says where it is. */
  readonly isPlaced: boolean;
  readonly outline: readonly Point[];
  readonly x: number;
  readonly y: number;
  readonly box: Box;
};

export type RoomSection = {
  readonly name: string;
  readonly banks: readonly number[];
  readonly box: Box;
};

/** Units are numbered in the plan's order: the single seats (`seats` of them), then the tables that
 * are sold whole. */
export type Room = {
  readonly plan: SeatsPlan;
  readonly seats: number;
  readonly units: readonly string[];
  readonly labels: readonly string[];
  readonly index: ReadonlyMap<string, number>;
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** The rotation of each seat in radians; 0 faces up, to smaller y. */
  readonly turn: Float32Array;
  readonly category: Uint16Array;
  readonly categories: readonly RoomCategory[];
  readonly access: Uint8Array;
  /** 1: not adjacent to the seat before it. */
  readonly breaks: Uint8Array;
  /** For a companion seat its accessible seat, or else -1. */
  readonly companionOf: Int32Array;
  readonly bank: Int32Array;
  readonly banks: readonly RoomBank[];
  readonly sections: readonly RoomSection[];
  readonly origins: readonly Point[];
  readonly tables: readonly RoomTable[];
  readonly pools: readonly RoomPool[];
  readonly box: Box;
  /** What its texts are called in the language of the map; set when that is known. */
  vocabulary: Vocabulary;
};

const POOL_GAP = 2;

/** Compiles a plan. Also a plan that the engine would refuse gives something to draw. */
export function makeRoom(plan: SeatsPlan): Room {
  const layout = layOut(plan);
  const seats = layout.places.length / 2;
  const whole = wholeTables(plan, layout);
  const total = seats + whole.length;
  const categories = new CategoryIndex(plan);
  const room = {
    vocabulary: {},
    plan,
    seats,
    units: Array.from({ length: total }, () => ""),
    labels: Array.from({ length: total }, () => ""),
    index: new Map<string, number>(),
    x: new Float64Array(total),
    y: new Float64Array(total),
    turn: new Float32Array(total),
    category: new Uint16Array(total),
    access: new Uint8Array(total),
    breaks: new Uint8Array(total),
    companionOf: new Int32Array(total).fill(-1),
    bank: new Int32Array(total).fill(-1),
  };
  const banks: RoomBank[] = [];
  const escorts: [number, string][] = [];
  for (const bank of layout.banks) {
    const { section, kind, start, stop } = bank;
    bank.spots.forEach((spot, place) => {
      const unit = start + place;
      room.units[unit] = spot.unit;
      room.labels[unit] = spot.label;
      room.index.set(spot.unit, unit);
      room.x[unit] = layout.places[unit * 2] ?? 0;
      room.y[unit] = layout.places[unit * 2 + 1] ?? 0;
      room.category[unit] = categories.number(spot.category);
      room.access[unit] = spot.access;
      room.breaks[unit] = spot.breaks ? 1 : 0;
      room.bank[unit] = banks.length;
      if (spot.companionOf !== null) escorts.push([unit, spot.companionOf]);
    });
    turnSeats(plan, bank, layout, room);
    banks.push({ section, kind, name: bank.part.name, start, stop });
  }
  whole.forEach(({ table, section, unit, place }, number) => {
    const at = seats + number;
    room.units[at] = unit;
    room.labels[at] = table.name;
    room.index.set(unit, at);
    room.x[at] = place.x;
    room.y[at] = place.y;
    room.breaks[at] = 1;
    const { category } = plan.sections?.[section] ?? {};
    room.category[at] = categories.number(table.category ?? category ?? STANDARD);
    room.bank[at] = banks.length;
    banks.push({ section, kind: "table", name: table.name, start: at, stop: at + 1 });
  });
  for (const pool of plan.pools ?? []) if (pool.category) categories.number(pool.category);
  for (const [seat, of] of escorts) room.companionOf[seat] = room.index.get(of) ?? -1;
  const tables = [
    ...singleTables(layout),
    ...whole.map(({ table, place }, number) => tableAt(table, place, seats + number)),
  ];
  const sections = sectionsOf(plan, banks, room);
  const seated = boxOfAll(room, tables, plan);
  const pools = placePools(plan, seated);
  const box = pools.reduce((sum, pool) => union(sum, pool.box), seated);
  const { origins } = layout;
  return {
    ...room,
    origins,
    categories: categories.list,
    banks,
    sections,
    tables,
    pools,
    box: sane(box),
  };
}

class CategoryIndex {
  readonly list: RoomCategory[] = [];
  readonly #numbers = new Map<string, number>();

  constructor(plan: SeatsPlan) {
    for (const { name, color, rank, price } of plan.categories ?? []) {
      this.#add({ name, color: color ?? null, rank: rank ?? 1, price: price ?? null });
    }
  }

  number(name: string): number {
    return this.#numbers.get(name) ?? this.#add({ name, color: null, rank: 1, price: null });
  }

  #add(category: RoomCategory): number {
    this.#numbers.set(category.name, this.list.length);
    return this.list.push(category) - 1;
  }
}

type WholeTable = { table: Table; section: number; unit: string; place: TablePlace };

/** Tables that are sold whole. The engine gives them no position; those without one in the plan
 * form a square behind everything else. */
function wholeTables(plan: SeatsPlan, layout: Layout): WholeTable[] {
  const made: WholeTable[] = [];
  const homeless: WholeTable[] = [];
  (plan.sections ?? []).forEach((section, number) => {
    for (const table of section.tables ?? []) {
      if (!table.whole) continue;
      const turn = (table.rotation ?? 0) + (section.rotation ?? 0);
      const place = { x: table.x ?? 0, y: table.y ?? 0, turn };
      const one = { table, section: number, unit: (section.prefix ?? "") + table.name, place };
      made.push(one);
      if (typeof table.x !== "number" || typeof table.y !== "number") {
        homeless.push(one);
        continue;
      }
      const [x, y] = turned([table.x, table.y], section.rotation ?? 0);
      place.x = x + (section.x ?? 0);
      place.y = y + (section.y ?? 0);
    }
  });
  const reach = Math.max(...homeless.map((one) => tableRadius(one.table.seats))) + 0.6;
  const lowest = layout.places.reduce(
    (sum, value, at) => (at % 2 === 1 ? Math.max(sum, value) : sum),
    0,
  );
  const square = squareOf(homeless.length, reach, Math.max(layout.behind, lowest + BETWEEN_TABLES));
  homeless.forEach((one, number) => {
    const [x, y] = square(number);
    one.place.x = x + (plan.stage?.x ?? 0);
    one.place.y = y;
  });
  return made;
}

function singleTables(layout: Layout): RoomTable[] {
  return [...layout.tables].flatMap(([bank, place]) =>
    bank.kind === "table" ? [tableAt(bank.part, place, -1)] : [],
  );
}

function tableAt({ name, seats, shape }: Table, place: TablePlace, unit: number): RoomTable {
  const isRound = shape !== "rectangle";
  return { name, ...place, isRound, seats, radius: tableRadius(seats), unit };
}

type Seats = Pick<Room, "x" | "y"> & { readonly turn: Float32Array };

/** Seats face the stage at right angles to their row; those at a table face it. */
function turnSeats(plan: SeatsPlan, bank: Bank, layout: Layout, room: Seats): void {
  const table = layout.tables.get(bank);
  const stageX = plan.stage?.x ?? 0;
  const stageY = plan.stage ? (plan.stage.y ?? 0) : -1e9;
  const usual = ((plan.sections?.[bank.section]?.rotation ?? 0) * Math.PI) / 180;
  for (let seat = bank.start; seat < bank.stop; seat += 1) {
    const x = room.x[seat] ?? 0;
    const y = room.y[seat] ?? 0;
    if (table !== undefined) {
      const isRound = bank.kind !== "table" || bank.part.shape !== "rectangle";
      const isTop = seat - bank.start < (bank.stop - bank.start + 1) / 2 - 0.25;
      const square = (table.turn * Math.PI) / 180 + (isTop ? Math.PI : 0);
      room.turn[seat] = isRound ? Math.atan2(table.x - x, y - table.y) : square;
      continue;
    }
    const before = Math.max(bank.start, seat - 1);
    const after = Math.min(bank.stop - 1, seat + 1);
    const alongX = (room.x[after] ?? 0) - (room.x[before] ?? 0);
    const alongY = (room.y[after] ?? 0) - (room.y[before] ?? 0);
    let turn = before === after ? usual : Math.atan2(alongY, alongX);
    // It faces (sin, -cos); if that is away from the stage, the row is numbered backwards.
    if (Math.sin(turn) * (stageX - x) - Math.cos(turn) * (stageY - y) < 0) turn += Math.PI;
    room.turn[seat] = turn;
  }
}

function sectionsOf(
  plan: SeatsPlan,
  banks: readonly RoomBank[],
  room: Pick<Room, "x" | "y">,
): RoomSection[] {
  const own: number[][] = (plan.sections ?? []).map(() => []);
  const boxes: Box[] = (plan.sections ?? []).map(() => NOWHERE);
  banks.forEach((bank, number) => {
    own[bank.section]?.push(number);
    let box = boxes[bank.section] ?? NOWHERE;
    for (let unit = bank.start; unit < bank.stop; unit += 1) {
      box = union(box, around(room.x[unit] ?? 0, room.y[unit] ?? 0, 0.5));
    }
    boxes[bank.section] = box;
  });
  return (plan.sections ?? []).map(({ name }, number) => ({
    name,
    banks: own[number] ?? [],
    box: boxes[number] ?? NOWHERE,
  }));
}

function boxOfAll(room: Pick<Room, "x" | "y">, tables: readonly RoomTable[], plan: SeatsPlan): Box {
  let box = grown(boxOfPlaces(room.x, room.y), 0.5);
  for (const table of tables) box = union(box, around(table.x, table.y, table.radius + 0.6));
  if (plan.stage) {
    const stage = { ...STAGE_DEFAULTS, ...plan.stage };
    box = union(box, around(stage.x, stage.y, stage.width / 2, stage.height / 2));
  }
  for (const pool of plan.pools ?? []) box = union(box, boxOf(pool.outline ?? []));
  for (const shape of plan.shapes ?? []) {
    box = union(
      box,
      shape.kind === "text" ? around(shape.x, shape.y, shape.size ?? 1) : boxOf(shape.points),
    );
  }
  return box;
}

/** Standing areas as drawn in the plan; the others form a line behind everything. */
function placePools(plan: SeatsPlan, seated: Box): RoomPool[] {
  const made: RoomPool[] = [];
  const isEmpty = seated.left > seated.right;
  const homeless = (plan.pools ?? []).filter((pool) => (pool.outline?.length ?? 0) < 3);
  const top = isEmpty ? 0 : seated.bottom + POOL_GAP;
  const width = Math.max(isEmpty ? 0 : seated.right - seated.left, homeless.length * 8);
  const middle = isEmpty ? 0 : (seated.left + seated.right) / 2;
  const cell = (width - POOL_GAP * (homeless.length - 1)) / Math.max(1, homeless.length);
  const height = Math.min(8, Math.max(4, cell / 3));
  let left = middle - width / 2;
  for (const pool of plan.pools ?? []) {
    let outline = pool.outline ?? [];
    const isPlaced = outline.length >= 3;
    if (!isPlaced) {
      outline = [
        [left, top],
        [left + cell, top],
        [left + cell, top + height],
        [left, top + height],
      ];
      left += cell + POOL_GAP;
    }
    const [x, y] = middleOf(outline);
    const { unit, capacity } = pool;
    made.push({
      unit,
      capacity,
      category: pool.category ?? null,
      isPlaced,
      outline,
      x,
      y,
      box: boxOf(outline),
    });
  }
  return made;
}

function sane(box: Box): Box {
  return box.left <= box.right ? box : { left: -5, top: -5, right: 5, bottom: 5 };
}
