// How much room an item takes, and which item is at a place: what selecting, snapping and aligning ask.
import { STAGE_DEFAULTS, type Point, type Shape } from "~/seatmap/plan";
import { around, boxOf, isEmpty, isWithin, middle, NOWHERE, union, type Box } from "~/seatmap/box";
import { FOCUS, itemOf, poolKey, sectionKey, shapeKey, STAGE, tableKey, type Key } from "./items";
import { placeOfUnit, toRoom, toSection, type Scene } from "./scene";

const HALF_SEAT = 0.5;
const AROUND_TABLE = 0.6;

export const cornersOfBox = (box: Box): Point[] =>
  isEmpty(box) ? [] : rectangle([box.left, box.top], [box.right, box.bottom]);

export function rectangle([x, y]: Point, [toX, toY]: Point): Point[] {
  const [left, right] = [Math.min(x, toX), Math.max(x, toX)];
  const [top, bottom] = [Math.min(y, toY), Math.max(y, toY)];
  return [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ];
}

/** The box of the seats of a bank, each with the room that it takes; `place` may turn it. */
function boxOfBank({ room }: Scene, bank: number, place: (at: Point) => Point = (at) => at): Box {
  const { start = 0, stop = 0 } = room.banks[bank] ?? {};
  let box = NOWHERE;
  for (let unit = start; unit < stop; unit += 1) {
    box = union(box, around(...place([room.x[unit] ?? 0, room.y[unit] ?? 0]), HALF_SEAT));
  }
  return box;
}

/** The box of an item in the room; an empty one for what is not drawn. */
export function boxOfItem(scene: Scene, key: Key): Box {
  const item = itemOf(key);
  const { plan, room } = scene;
  switch (item?.kind) {
    case "section": {
      const tables = (plan.sections?.[item.section]?.tables ?? []).map((_, at) =>
        boxOfItem(scene, tableKey(item.section, at)),
      );
      const seats = room.sections[item.section]?.box ?? NOWHERE;
      const all = tables.reduce(union, seats);
      const origin = scene.origins[item.section];
      return isEmpty(all) && origin ? around(origin.x, origin.y, 1) : all;
    }
    case "row":
      return boxOfBank(scene, scene.bankKeys.indexOf(key));
    case "table": {
      const table = scene.tables.get(key);
      return table ? around(table.x, table.y, table.radius + AROUND_TABLE) : NOWHERE;
    }
    case "pool":
      return room.pools[item.at]?.box ?? NOWHERE;
    case "shape": {
      const shape = plan.shapes?.[item.at];
      return shape ? boxOfShape(shape) : NOWHERE;
    }
    case "stage": {
      if (!plan.stage) return NOWHERE;
      const stage = { ...STAGE_DEFAULTS, ...plan.stage };
      return around(stage.x, stage.y, stage.width / 2, stage.height / 2);
    }
    case "focus":
      return plan.focus ? around(plan.focus[0], plan.focus[1], HALF_SEAT) : NOWHERE;
    default:
      return NOWHERE;
  }
}

function boxOfShape(shape: Shape): Box {
  if (shape.kind !== "text") return boxOf(shape.points);
  const size = shape.size ?? 1;
  return around(shape.x, shape.y, Math.max(0.5, (shape.text.length * size * 0.56) / 2), size * 0.7);
}

export function cornersOf(scene: Scene, section: number): Point[] {
  const origin = scene.origins[section];
  if (!origin) return [];
  const banks = scene.room.sections[section]?.banks ?? [];
  const own = banks.map((bank) => boxOfBank(scene, bank, (at) => toSection(origin, at)));
  for (const [key, table] of scene.tables) {
    if (!key.startsWith(`table:${section}:`)) continue;
    own.push(around(...toSection(origin, [table.x, table.y]), table.radius + AROUND_TABLE));
  }
  const box = own.reduce(union, NOWHERE);
  return cornersOfBox(isEmpty(box) ? around(0, 0, 1) : box);
}

/** What is at a place of the room: the item, the row or table of the seat that is hit, and its place
 * in that row. */
export type Hit = {
  readonly key: Key;
  readonly part: Key | null;
  readonly place: number | null;
  readonly isMissing: boolean;
};

function wholeOf(part: Key): Key {
  const item = itemOf(part);
  return item?.kind === "row" ? sectionKey(item.section) : part;
}

const whole = (key: Key): Hit => ({ key, part: null, place: null, isMissing: false });

/** The item at a place; `reach` is how near is near enough, in seats. */
export function hitOf(scene: Scene, x: number, y: number, reach: number): Hit | null {
  const { plan, room } = scene;
  const { focus } = plan;
  if (focus && Math.hypot(focus[0] - x, focus[1] - y) < Math.max(HALF_SEAT, reach))
    return whole(FOCUS);
  const unit = scene.grid.nearest(x, y, HALF_SEAT + reach / 2, (one) => one < room.seats);
  if (unit >= 0) {
    const part = scene.bankKeys[room.bank[unit] ?? -1] ?? "";
    return { key: wholeOf(part), part, place: placeOfUnit(scene, unit), isMissing: false };
  }
  const ghost = scene.ghosts.find((one) => Math.hypot(one.x - x, one.y - y) <= HALF_SEAT);
  if (ghost)
    return { key: wholeOf(ghost.key), part: ghost.key, place: ghost.place, isMissing: true };
  for (const [key, table] of scene.tables) {
    if (Math.hypot(table.x - x, table.y - y) < table.radius + AROUND_TABLE) return whole(key);
  }
  const drawn = (plan.shapes ?? []).findLastIndex((shape) => isOnShape(shape, x, y, reach));
  if (drawn >= 0) return whole(shapeKey(drawn));
  const pool = room.pools.findIndex((one) => isWithin(one.outline, x, y));
  if (pool >= 0) return whole(poolKey(pool));
  if (isInBox(boxOfItem(scene, STAGE), x, y)) return whole(STAGE);
  const section = (plan.sections ?? []).findIndex((of, at) => {
    const isFrame = !of.rows?.length && (of.tables?.length ?? 0) > 0;
    return !isFrame && isWithin(cornersInRoom(scene, at), x, y);
  });
  return section >= 0 ? whole(sectionKey(section)) : null;
}

export function cornersInRoom(scene: Scene, section: number): Point[] {
  const origin = scene.origins[section];
  return origin ? cornersOf(scene, section).map((corner) => toRoom(origin, corner)) : [];
}

export const isInBox = (box: Box, x: number, y: number): boolean =>
  x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;

function isOnShape(shape: Shape, x: number, y: number, reach: number): boolean {
  if (shape.kind === "text") return isInBox(boxOfShape(shape), x, y);
  const near = shape.points.some((from, at) => {
    const to = shape.points[at + 1] ?? (shape.kind === "polygon" ? shape.points[0] : undefined);
    return to !== undefined && distanceTo(from, to, x, y) < Math.max(0.3, reach);
  });
  return near || (shape.kind === "polygon" && Boolean(shape.fill) && isWithin(shape.points, x, y));
}

function distanceTo([fromX, fromY]: Point, [toX, toY]: Point, x: number, y: number): number {
  const [alongX, alongY] = [toX - fromX, toY - fromY];
  const square = alongX ** 2 + alongY ** 2;
  const share = square === 0 ? 0 : ((x - fromX) * alongX + (y - fromY) * alongY) / square;
  const held = Math.min(1, Math.max(0, share));
  return Math.hypot(fromX + alongX * held - x, fromY + alongY * held - y);
}

/** Snaps a moved box: to the grid, or to an edge or middle of another box that is nearly in line.
 * Gives how much to add to the move, and the lines to show. */
export type Snap = { readonly x: number; readonly y: number; readonly guides: readonly Guide[] };
export type Guide = { readonly axis: "x" | "y"; readonly at: number };

export function snapOf(
  box: Box,
  anchor: Point,
  others: readonly Box[],
  reach: number,
  raster: number,
): Snap {
  const across = inLine(linesAcross(box), others.flatMap(linesAcross), reach);
  const down = inLine(linesDown(box), others.flatMap(linesDown), reach);
  const toRaster = (value: number) => Math.round(value / raster) * raster - value;
  const guides: Guide[] = [];
  if (across) guides.push({ axis: "x", at: across.at });
  if (down) guides.push({ axis: "y", at: down.at });
  return { x: across?.by ?? toRaster(anchor[0]), y: down?.by ?? toRaster(anchor[1]), guides };
}

const linesAcross = (box: Box) => [box.left, middle(box)[0], box.right];
const linesDown = (box: Box) => [box.top, middle(box)[1], box.bottom];

/** The nearest of other lines to one of its own, within reach. */
function inLine(own: readonly number[], others: readonly number[], reach: number) {
  const near = others
    .flatMap((at) => own.map((edge) => ({ by: at - edge, at })))
    .filter(({ by }) => Math.abs(by) <= reach);
  return near.reduce<(typeof near)[number] | null>(
    (best, one) => (best === null || Math.abs(one.by) < Math.abs(best.by) ? one : best),
    null,
  );
}
