// A document as it stands on the canvas: the seat map's own room, and beside it what only an editor
// needs: where each section has its origin, which item a seat belongs to, where seats are missing.
import { Grid } from "~/seatmap/grid";
import type { Point, SeatsPlan } from "~/seatmap/plan";
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

type Ghost = {
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
  const origins = (plan.sections ?? []).map((section, number): Origin => {
    const { x, y, rotation: turn = 0 } = section;
    if (typeof x === "number" && typeof y === "number") return { x, y, turn, isGiven: true };
    const [ownX, ownY] = room.origins[number] ?? [0, 0];
    return { x: ownX, y: ownY, turn, isGiven: false };
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

function ghostsOf(plan: SeatsPlan, origins: readonly Origin[]): Ghost[] {
  const ghosts: Ghost[] = [];
  (plan.sections ?? []).forEach((section, number) => {
    const origin = origins[number];
    if (!origin || !(section.rows ?? []).some((row) => row.without?.length)) return;
    for (const frame of framesOf(section)) {
      const row = section.rows?.[frame.row];
      if (!row?.without?.length || isListed(row)) continue;
      const offsets = offsetsOf(row);
      for (const place of missingOf(row)) {
        const [x, y] = toRoom(origin, along(frame, offsets[place] ?? 0));
        ghosts.push({ key: rowKey(number, frame.row), place, x, y });
      }
    }
  });
  return ghosts;
}

export function toRoom(origin: Origin, point: Point): Point {
  const [x, y] = turned(point, origin.turn);
  return [x + origin.x, y + origin.y];
}

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
