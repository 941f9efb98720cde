// What a pointer does between down and up, tool by tool. A drag shows a document that is not yet kept,
// and gives the command only at its end, so that it is one step to undo.
import type { Point, SeatsPlan } from "~/seatmap/plan";
import { boxOf, NOWHERE, union } from "~/seatmap/room";
import { isEmpty, middle } from "~/seatmap/box";
import {
  boxOfItem,
  hitOf,
  isInBox,
  snapOf,
  type Guide,
  type Hit,
  type Snap,
} from "../document/bounds";
import { edited, orNothing, withRow, withTable, type Edited } from "../document/edit";
import { allKeys, itemOf, outermost, sectionKey, type Key } from "../document/items";
import { move } from "../document/moves";
import {
  numberAt,
  toggleAccessible,
  toggleAisle,
  toggleCompanion,
  toggled,
} from "../document/rows";
import { sceneOf, type Scene } from "../document/scene";
import { eraseSeat, setSeatCategory } from "../document/sections";
import { setCategory } from "../document/categories";
import { BRUSHES, type Options } from "../state";

export type Pointer = {
  readonly x: number;
  readonly y: number;
  readonly shift: boolean;
  readonly alt: boolean;
};

export type Note = { readonly key: string; readonly values: Readonly<Record<string, number>> };

export type Shown = {
  readonly plan?: SeatsPlan;
  readonly box?: readonly [Point, Point];
  readonly guides?: readonly Guide[];
  readonly note?: Note;
};

type Outcome = {
  readonly label: string;
  readonly edit?: Edited | undefined;
  readonly selection?: readonly Key[];
};

export type Drag = {
  readonly move: (at: Pointer) => Shown;
  readonly end: (at: Pointer) => Outcome | null;
};

const RASTER = 0.5;
const OTHERS_MAX = 300;

export const toRaster = (value: number, isFree = false): number =>
  isFree ? value : Math.round(value / RASTER) * RASTER;

/** Moves items; `pixels` is the scale, by which near means the same at every zoom. */
export function moveDrag(
  plan: SeatsPlan,
  keys: readonly Key[],
  from: Pointer,
  pixels: number,
): Drag {
  const scene = sceneOf(plan);
  const own = outermost(keys);
  const box = own.reduce((sum, key) => union(sum, boxOfItem(scene, key)), NOWHERE);
  // The parts of what is moved go along with it.
  const others = outermost([...own, ...allKeys(plan)])
    .filter((key) => !own.includes(key))
    .slice(0, OTHERS_MAX)
    .map((key) => boxOfItem(scene, key))
    .filter((one) => !isEmpty(one));
  const by = (at: Pointer): Snap => {
    let [x, y] = [at.x - from.x, at.y - from.y];
    if (at.shift && Math.abs(x) > Math.abs(y)) y = 0;
    else if (at.shift) x = 0;
    if (at.alt || isEmpty(box)) return { x, y, guides: [] };
    const { left, right, top, bottom } = box;
    const moved = { left: left + x, right: right + x, top: top + y, bottom: bottom + y };
    const snap = snapOf(moved, middle(moved), others, 6 / pixels, RASTER);
    // With Shift it keeps to one direction.
    return {
      x: at.shift && x === 0 ? 0 : x + snap.x,
      y: at.shift && y === 0 ? 0 : y + snap.y,
      guides: snap.guides,
    };
  };
  return {
    move: (at) => {
      const { x, y, guides } = by(at);
      return { plan: move(plan, keys, x, y), guides };
    },
    end: (at) => {
      const { x, y } = by(at);
      return { label: "move", edit: { plan: move(plan, keys, x, y), selection: keys } };
    },
  };
}

/** Selects what lies wholly in a box; with `before` it adds to what is selected. */
export function marqueeDrag(plan: SeatsPlan, before: readonly Key[], from: Pointer): Drag {
  const boxTo = (at: Pointer): readonly [Point, Point] => [
    [from.x, from.y],
    [at.x, at.y],
  ];
  const within = (at: Pointer): Key[] => {
    const box = boxOf(boxTo(at));
    return allKeys(plan).filter((key) => {
      const own = boxOfItem(sceneOf(plan), key);
      // Its corners are in the box, and it has some.
      return (
        !isEmpty(own) && isInBox(box, own.left, own.top) && isInBox(box, own.right, own.bottom)
      );
    });
  };
  return {
    move: (at) => ({ box: boxTo(at) }),
    end: (at) => ({ label: "select", selection: [...new Set([...before, ...within(at)])] }),
  };
}

/** Draws a rectangle, and makes something of it; a click has no second corner. */
export function drawDrag(
  label: string,
  from: Pointer,
  make: (from: Point, to: Point | null) => Edited,
  note?: (box: readonly [Point, Point]) => Note,
): Drag {
  const start: Point = [toRaster(from.x, from.alt), toRaster(from.y, from.alt)];
  const cornerAt = (at: Pointer): Point | null =>
    Math.hypot(at.x - from.x, at.y - from.y) < 0.7
      ? null
      : [toRaster(at.x, at.alt), toRaster(at.y, at.alt)];
  return {
    move: (at) => {
      const corner = cornerAt(at);
      if (corner === null) return {};
      return { box: [start, corner], ...(note && { note: note([start, corner]) }) };
    },
    end: (at) => ({ label, edit: make(start, cornerAt(at)) }),
  };
}

export function handleDrag(
  label: string,
  selection: readonly Key[],
  change: (at: Pointer) => SeatsPlan,
  note?: (at: Pointer) => Note,
): Drag {
  return {
    move: (at) => ({ plan: change(at), ...(note && { note: note(at) }) }),
    end: (at) => ({ label, edit: { plan: change(at), selection } }),
  };
}

export type Brush = (typeof BRUSHES)[number];
export const isBrush = (tool: string): tool is Brush => BRUSHES.some((one) => one === tool);

export function brushDrag(
  plan: SeatsPlan,
  selection: readonly Key[],
  brush: Brush,
  options: Options,
  reach: number,
): Drag {
  const seen = new Set<string>();
  let made = plan;
  // The first seat decides whether seats are taken away or put back.
  let takesAway: boolean | null = null;
  const touch = (at: Pointer) => {
    // A row that went with its last seat has moved the others: what is seen is not what is there.
    if (rowsIn(made) !== rowsIn(plan)) return;
    const hit = hitOf(sceneOf(plan), at.x, at.y, reach);
    if (hit === null || hit.part === null || hit.place === null) return;
    const spot = brush === "aisle" ? aisleAt(sceneOf(plan), hit, at) : hit.place;
    const name = `${hit.part}/${spot}`;
    if (seen.has(name)) return;
    seen.add(name);
    takesAway ??= !hit.isMissing;
    if (brush === "erase" && takesAway === hit.isMissing) return;
    made = brushed(made, plan, hit.part, spot, brush, options);
  };
  return {
    move: (at) => {
      touch(at);
      return { plan: made };
    },
    end: (at) => {
      touch(at);
      return {
        label: `brush.${brush}`,
        edit: made === plan ? undefined : { plan: made, selection },
      };
    },
  };
}

/** After which seat an aisle is meant: that on the side of the pointer. */
function aisleAt({ room, bankKeys, grid }: Scene, { part, place }: Hit, { x, y }: Pointer): number {
  const { start = 0, stop = 0 } = room.banks[bankKeys.indexOf(part ?? "")] ?? {};
  const isOwn = (unit: number) => unit >= start && unit < stop;
  const unit = grid.nearest(x, y, 1, isOwn);
  const far = (one: number) =>
    isOwn(one) ? Math.hypot((room.x[one] ?? 0) - x, (room.y[one] ?? 0) - y) : Infinity;
  return (place ?? 0) - (unit >= 0 && far(unit - 1) < far(unit + 1) ? 1 : 0);
}

function brushed(
  made: SeatsPlan,
  before: SeatsPlan,
  key: Key,
  place: number,
  brush: Brush,
  { paintCategory, paintScope }: Options,
): SeatsPlan {
  const item = itemOf(key);
  if (brush === "paint") {
    if (paintCategory === null) return made;
    if (item?.kind !== "row" || paintScope === "row")
      return setCategory(made, [key], paintCategory);
    if (paintScope === "section")
      return setCategory(made, [sectionKey(item.section)], paintCategory);
  }
  if (item?.kind === "table" && brush === "wheelchair")
    return withTable(made, item.section, item.at, (table) =>
      edited(table, { accessible: orNothing(toggled(table.accessible, place + 1)) }),
    );
  if (item?.kind !== "row") return made;
  const { section, at: row } = item;
  const now = indexIn(made, before, section, row, place);
  switch (brush) {
    case "erase":
      return eraseSeat(made, section, row, now);
    case "aisle":
      return withRow(made, section, row, (of) => toggleAisle(of, place));
    case "wheelchair":
      return withRow(made, section, row, (of) => toggleAccessible(of, place));
    case "companion":
      return withRow(made, section, row, (of) => toggleCompanion(of, place) ?? of);
    case "paint":
      return setSeatCategory(made, section, row, now, paintCategory ?? "");
  }
}

const rowsIn = (plan: SeatsPlan): number =>
  (plan.sections ?? []).reduce((sum, section) => sum + 1 + (section.rows?.length ?? 0), 0);

/** The place in a row of now of a seat that was found in the row before: lists close up. */
function indexIn(
  made: SeatsPlan,
  before: SeatsPlan,
  section: number,
  at: number,
  place: number,
): number {
  const old = before.sections?.[section]?.rows?.[at];
  const list = made.sections?.[section]?.rows?.[at]?.list;
  if (!old || !list?.length) return place;
  const label = old.list?.[place]?.label ?? String(numberAt(old, place));
  const index = list.findIndex((seat) => seat.label === label);
  return index < 0 ? place : index;
}
