// Commands that move, turn and align. What the plan left to the layout gets the place where it was
// shown before it is moved, so that nothing else on the canvas jumps.
import type { Point, SeatsPlan } from "~/seatmap/plan";
import { union, NOWHERE } from "~/seatmap/room";
import { isEmpty, middle } from "~/seatmap/box";
import { boxOfItem } from "./bounds";
import {
  edited,
  tidy,
  tidyTurn,
  withPool,
  withRow,
  withSection,
  withShape,
  withTable,
} from "./edit";
import { framesOf, turned } from "./frames";
import { itemOf, outermost, partOf, tableKey, type Item, type Key } from "./items";
import { sceneOf, toSection } from "./scene";

/** Gives a section the place where it is shown, and those after it too, which would follow it. */
export function pin(plan: SeatsPlan, section: number): SeatsPlan {
  const scene = sceneOf(plan);
  if (scene.origins[section]?.isGiven ?? true) return plan;
  return (plan.sections ?? []).reduce(
    (made, _, at) => (at < section ? made : pinOne(made, at, plan)),
    plan,
  );
}

function pinOne(made: SeatsPlan, at: number, shown: SeatsPlan): SeatsPlan {
  const scene = sceneOf(shown);
  const origin = scene.origins[at];
  if (!origin || origin.isGiven) return made;
  return withSection(made, at, (section) => {
    const tables = section.tables?.map((table, number) => {
      const place = scene.tables.get(tableKey(at, number));
      if (!table.whole || !place) return table;
      const [x, y] = toSection(origin, [place.x, place.y]);
      return edited(table, { x: tidy(x), y: tidy(y) });
    });
    return edited(section, { x: tidy(origin.x), y: tidy(origin.y), ...(tables && { tables }) });
  });
}

/** Gives every section the place where it is shown: before the stage moves, which they stand behind. */
export function pinAll(plan: SeatsPlan): SeatsPlan {
  const first = sceneOf(plan).origins.findIndex((origin) => !origin.isGiven);
  return first < 0 ? plan : pin(plan, first);
}

export function move(plan: SeatsPlan, keys: readonly Key[], x: number, y: number): SeatsPlan {
  if (x === 0 && y === 0) return plan;
  return outermost(keys).reduce((made, key) => {
    const item = itemOf(key);
    return item === null ? made : moveOne(made, item, x, y);
  }, plan);
}

type Place = { readonly x?: number | null; readonly y?: number | null };

function moveOne(plan: SeatsPlan, item: Item, x: number, y: number): SeatsPlan {
  const by = (at: Place) => ({ x: tidy((at.x ?? 0) + x), y: tidy((at.y ?? 0) + y) });
  switch (item.kind) {
    case "section":
      return withSection(pin(plan, item.section), item.section, (of) => edited(of, by(of)));
    case "row":
      return moveRow(plan, item.section, item.at, x, y);
    case "table":
      return moveTable(plan, item.section, item.at, x, y);
    case "pool":
      return withPool(plan, item.at, (pool) =>
        pool.outline ? edited(pool, { outline: shifted(pool.outline, x, y) }) : pool,
      );
    case "shape":
      return withShape(plan, item.at, (shape) =>
        shape.kind === "text"
          ? { ...shape, ...by(shape) }
          : { ...shape, points: shifted(shape.points, x, y) },
      );
    case "stage":
      if (!plan.stage) return plan;
      return edited(pinAll(plan), { stage: { ...plan.stage, ...by(plan.stage) } });
    case "focus":
      return plan.focus ? { ...plan, focus: shifted([plan.focus], x, y)[0] ?? null } : plan;
  }
}

const shifted = (points: readonly Point[], x: number, y: number): Point[] =>
  points.map((point) => [tidy(point[0] + x), tidy(point[1] + y)]);

function moveRow(plan: SeatsPlan, section: number, at: number, x: number, y: number): SeatsPlan {
  const pinned = pin(plan, section);
  const of = pinned.sections?.[section];
  if (of === undefined) return plan;
  const frames = framesOf(of);
  const frame = frames.find((one) => one.row === at);
  if (frame === undefined) return moveListed(pinned, section, at, x, y);
  const [localX, localY] = turned([x, y], -(of.rotation ?? 0));
  const moved = withRow(pinned, section, at, (row) =>
    edited(row, { x: tidy(frame.x + localX) || undefined, y: tidy(frame.y + localY) }),
  );
  // The row behind would follow this one; it stays.
  const behind = frames[frames.indexOf(frame) + 1];
  if (behind === undefined || localY === 0) return moved;
  return withRow(moved, section, behind.row, (row) => edited(row, { y: tidy(behind.y) }));
}

/** A row whose seats have places of their own. */
function moveListed(plan: SeatsPlan, section: number, at: number, x: number, y: number): SeatsPlan {
  const [localX, localY] = turned([x, y], -(plan.sections?.[section]?.rotation ?? 0));
  return withRow(plan, section, at, (row) => {
    if (typeof row.list?.[0]?.x !== "number") return row;
    const list = row.list.map((seat) => ({
      ...seat,
      x: tidy((seat.x ?? 0) + localX),
      y: tidy((seat.y ?? 0) + localY),
    }));
    return { ...row, list };
  });
}

function moveTable(plan: SeatsPlan, section: number, at: number, x: number, y: number): SeatsPlan {
  const pinned = pin(plan, section);
  const scene = sceneOf(pinned);
  const table = scene.tables.get(tableKey(section, at));
  const origin = scene.origins[section];
  if (!table || !origin) return plan;
  const [toX, toY] = toSection(origin, [table.x + x, table.y + y]);
  return withTable(pinned, section, at, (one) => edited(one, { x: tidy(toX), y: tidy(toY) }));
}

/** Turns an item about its own middle, to so many degrees; shapes and areas by so many. */
export function turn(plan: SeatsPlan, key: Key, degrees: number): SeatsPlan {
  const item = itemOf(key);
  const rotation = tidyTurn(degrees) || undefined;
  switch (item?.kind) {
    case "section":
      return withSection(pin(plan, item.section), item.section, (of) => edited(of, { rotation }));
    case "table": {
      const around = plan.sections?.[item.section]?.rotation ?? 0;
      const own = tidyTurn(degrees - around) || undefined;
      return withTable(plan, item.section, item.at, (of) => edited(of, { rotation: own }));
    }
    case "shape":
      return withShape(plan, item.at, (of) => (of.kind === "text" ? edited(of, { rotation }) : of));
    default:
      return plan;
  }
}

/** How an item is turned in the room; null for what cannot be turned. */
export function turnOf(plan: SeatsPlan, key: Key): number | null {
  const item = itemOf(key);
  if (item?.kind === "section") return partOf(plan, item)?.rotation ?? 0;
  if (item?.kind === "table") {
    const around = plan.sections?.[item.section]?.rotation ?? 0;
    return around + (partOf(plan, item)?.rotation ?? 0);
  }
  const shape = item?.kind === "shape" ? partOf(plan, item) : null;
  return shape?.kind === "text" ? (shape.rotation ?? 0) : null;
}

type Alignment = "left" | "center" | "right" | "top" | "middle" | "bottom";

/** Puts items in line with the edge or middle of what they take up together. */
export function align(plan: SeatsPlan, keys: readonly Key[], how: Alignment): SeatsPlan {
  const scene = sceneOf(plan);
  const boxes = outermost(keys).map((key) => ({ key, box: boxOfItem(scene, key) }));
  const all = boxes.reduce((sum, { box }) => union(sum, box), NOWHERE);
  if (isEmpty(all)) return plan;
  return boxes.reduce((made, { key, box }) => {
    const by: Record<Alignment, Point> = {
      left: [all.left - box.left, 0],
      center: [middle(all)[0] - middle(box)[0], 0],
      right: [all.right - box.right, 0],
      top: [0, all.top - box.top],
      middle: [0, middle(all)[1] - middle(box)[1]],
      bottom: [0, all.bottom - box.bottom],
    };
    return isEmpty(box) ? made : move(made, [key], ...by[how]);
  }, plan);
}

/** Puts the same space between items, from the first to the last. */
export function distribute(plan: SeatsPlan, keys: readonly Key[], axis: "x" | "y"): SeatsPlan {
  const scene = sceneOf(plan);
  const [low, high] = axis === "x" ? (["left", "right"] as const) : (["top", "bottom"] as const);
  const boxes = outermost(keys)
    .map((key) => ({ key, box: boxOfItem(scene, key) }))
    .filter(({ box }) => !isEmpty(box))
    .sort((one, other) => one.box[low] - other.box[low]);
  const [first, last] = [boxes[0], boxes.at(-1)];
  if (boxes.length < 3 || !first || !last) return plan;
  const taken = boxes.reduce((sum, { box }) => sum + box[high] - box[low], 0);
  const space = (last.box[high] - first.box[low] - taken) / (boxes.length - 1);
  let at = first.box[low];
  return boxes.reduce((made, { key, box }) => {
    const by = at - box[low];
    at += box[high] - box[low] + space;
    return axis === "x" ? move(made, [key], by, 0) : move(made, [key], 0, by);
  }, plan);
}
