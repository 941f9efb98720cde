// A document as it stands on the canvas: the seat map's own room, and beside it what only an editor
// needs: where each section has its origin, which item a seat belongs to, where seats are missing.
import { Grid } from "~/seatmap/grid";
import { squareOf, tableRadius } from "~/seatmap/layout";
import type { Point, SeatsPlan, Section } from "~/seatmap/plan";
import { makeRoom, type Room, type RoomTable } from "~/seatmap/room";
import { along, framesOf, offsetsOf, turned } from "./frames";
import { rowKey, tableKey, type Key } from "./items";
import { isListed, missingOf, seatsOf } from "./rows";

/** Where a section's own coordinates begin, and how they are turned. `isGiven` where the plan says. */
export type Origin = {
  readonly x: number;
  readonly y: number;
  readonly turn: number;
  readonly isGiven: boolean;
};

export type Ghost = {
  readonly key: Key;
  readonly place: number;
  readonly x: number;
  readonly y: number;
};

export type Scene = {
  readonly plan: SeatsPlan;
  readonly room: Room;
  readonly grid: Grid;
  readonly origins: readonly Origin[];
  /** The item of each bank of the room. */
  readonly bankKeys: readonly Key[];
  readonly tables: ReadonlyMap<Key, RoomTable>;
  readonly ghosts: readonly Ghost[];
};

const scenes = new WeakMap<SeatsPlan, Scene>();

/** The scene of a plan; it is made once. */
export function sceneOf(plan: SeatsPlan): Scene {
  const known = scenes.get(plan);
  if (known) return known;
  const room = makeRoom(plan);
  const bankKeys = keysOfBanks(plan);
  const tables = tablesOf(plan, room);
  const origins = (plan.sections ?? []).map((section, number) => {
    const bank = room.sections[number]?.banks[0];
    return originOf(section, number, room, bank, tables);
  });
  const ghosts = ghostsOf(plan, origins);
  const grid = new Grid(room.x, room.y);
  const scene = { plan, room, grid, origins, bankKeys, tables, ghosts };
  scenes.set(plan, scene);
  return scene;
}

/** The same order as the room's banks: rows and tables of each section, then the whole tables. */
function keysOfBanks(plan: SeatsPlan): Key[] {
  const single: Key[] = [];
  const whole: Key[] = [];
  (plan.sections ?? []).forEach((section, number) => {
    (section.rows ?? []).forEach((row, at) => {
      if (seatsOf(row) > 0) single.push(rowKey(number, at));
    });
    (section.tables ?? []).forEach((table, at) => {
      if (table.whole) whole.push(tableKey(number, at));
      else if (table.seats > 0) single.push(tableKey(number, at));
    });
  });
  return [...single, ...whole];
}

function tablesOf(plan: SeatsPlan, room: Room): Map<Key, RoomTable> {
  const single = room.tables.filter((table) => table.unit < 0);
  const whole = room.tables.filter((table) => table.unit >= 0);
  const made = new Map<Key, RoomTable>();
  (plan.sections ?? []).forEach((section, number) => {
    (section.tables ?? []).forEach((table, at) => {
      const shown = (table.whole ? whole : single).shift();
      if (shown) made.set(tableKey(number, at), shown);
    });
  });
  return made;
}

const isNumber = (value: unknown): value is number => typeof value === "number";

/** Whether the plan gives places within a section, which are then the room's own. */
function isPlaced(section: Section): boolean {
  const rows = (section.rows ?? []).some((row) => isNumber(row.list?.[0]?.x));
  const tables = (section.tables ?? []).some(
    (one) => !one.whole && isNumber(one.x) && isNumber(one.y),
  );
  return rows || tables;
}

function originOf(
  section: Section,
  number: number,
  room: Room,
  bank: number | undefined,
  tables: ReadonlyMap<Key, RoomTable>,
): Origin {
  const turn = section.rotation ?? 0;
  if (isNumber(section.x) && isNumber(section.y)) {
    return { x: section.x, y: section.y, turn, isGiven: true };
  }
  const first = bank === undefined ? undefined : room.banks[bank];
  if (isPlaced(section) || first === undefined || bank === undefined) {
    return { x: 0, y: 0, turn, isGiven: false };
  }
  const { frames, depth } = framesOf(section);
  const frame = frames[0];
  let local: Point = [0, 0];
  let shown: Point = [room.x[first.start] ?? 0, room.y[first.start] ?? 0];
  if (frame !== undefined) {
    const row = section.rows?.[frame.row];
    local = along(frame, row && !isListed(row) ? firstOffset(section, frame.row) : 0);
  } else {
    const single = (section.tables ?? []).filter((table) => !table.whole);
    if (single.length === 0) return { x: 0, y: 0, turn, isGiven: false };
    const reach = Math.max(...single.map((table) => tableRadius(table.seats)));
    const at = (section.tables ?? []).findIndex((table) => !table.whole);
    const table = tables.get(tableKey(number, at));
    local = squareOf(single.length, reach, depth)(0);
    if (table) shown = [table.x, table.y];
  }
  const [x, y] = turned(local, turn);
  return { x: shown[0] - x, y: shown[1] - y, turn, isGiven: false };
}

function firstOffset(section: Section, at: number): number {
  const row = section.rows?.[at];
  if (row === undefined) return 0;
  const missing = missingOf(row);
  return offsetsOf(row).offsets.find((_, place) => !missing.has(place)) ?? 0;
}

function ghostsOf(plan: SeatsPlan, origins: readonly Origin[]): Ghost[] {
  const ghosts: Ghost[] = [];
  (plan.sections ?? []).forEach((section, number) => {
    const origin = origins[number];
    if (!origin || !(section.rows ?? []).some((row) => row.without?.length)) return;
    for (const frame of framesOf(section).frames) {
      const row = section.rows?.[frame.row];
      if (!row?.without?.length || isListed(row)) continue;
      const { offsets } = offsetsOf(row);
      for (const place of missingOf(row)) {
        const [x, y] = toRoom(origin, along(frame, offsets[place] ?? 0));
        ghosts.push({ key: rowKey(number, frame.row), place, x, y });
      }
    }
  });
  return ghosts;
}

/** A place of a section as one of the room. */
export function toRoom(origin: Origin, point: Point): Point {
  const [x, y] = turned(point, origin.turn);
  return [x + origin.x, y + origin.y];
}

/** A place of the room as one of a section. */
export function toSection(origin: Origin, [x, y]: Point): Point {
  return turned([x - origin.x, y - origin.y], -origin.turn);
}

/** The place of a seat in its row: 0, 1, 2 from one end, missing seats counted. */
export function placeOfUnit(scene: Scene, unit: number): number {
  const at = scene.room.bank[unit] ?? -1;
  const start = scene.room.banks[at]?.start ?? 0;
  const found = /^row:(\d+):(\d+)$/.exec(scene.bankKeys[at] ?? "");
  const row = scene.plan.sections?.[Number(found?.[1])]?.rows?.[Number(found?.[2])];
  if (row === undefined || isListed(row)) return unit - start;
  const missing = missingOf(row);
  let left = unit - start;
  for (let place = 0; place < (row.seats ?? 0); place += 1) {
    if (missing.has(place)) continue;
    if (left === 0) return place;
    left -= 1;
  }
  return unit - start;
}
