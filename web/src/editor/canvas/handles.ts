// The handles of what is selected: where each is, and what document a drag of it makes.
import { STAGE_DEFAULTS, type Point, type SeatsPlan } from "~/seatmap/plan";
import { cornersOf } from "../document/bounds";
import { tidy, withPool, withShape } from "../document/edit";
import { along, curveFor, framesOf, turned } from "../document/frames";
import { itemOf, sectionKey, STAGE, type Key } from "../document/items";
import { pin, turn } from "../document/moves";
import { withFields } from "../document/parts";
import { toRoom, toSection, type Origin, type Scene } from "../document/scene";
import { setRows, setRowSeats } from "../document/sections";
import { handleDrag, toRaster, type Drag, type Pointer } from "./drags";

export type Handle = {
  readonly name: string;
  readonly kind: "turn" | "curve" | "grow" | "point";
  readonly at: Point;
  readonly from?: Point;
  readonly drag: (plan: SeatsPlan) => Drag;
};

/** How far a handle stands from what it is of; at the sides beyond the names of the rows. */
const AWAY_PIXELS = 34;
const BEHIND_PIXELS = 20;
const TURN_STEP = 5;
const POINTS_MAX = 60;
const STAGE_MIN = 0.5;

/** The handles of a selection of one item; of several none. */
export function handlesOf(scene: Scene, selection: readonly Key[], pixels: number): Handle[] {
  const [key, ...others] = selection;
  if (key === undefined || others.length > 0) return [];
  const item = itemOf(key);
  const away = AWAY_PIXELS / pixels;
  switch (item?.kind) {
    case "section":
      return sectionHandles(scene, item.section, pixels);
    case "table": {
      const table = scene.tables.get(key);
      if (!table) return [];
      return [turnHandle(key, [table.x, table.y], table.turn, 0, table.radius + 0.6 + away)];
    }
    case "pool":
      return pointHandles(key, scene.plan.pools?.[item.at]?.outline ?? [], (plan, outline) =>
        withPool(plan, item.at, (pool) => ({ ...pool, outline })),
      );
    case "shape": {
      const shape = scene.plan.shapes?.[item.at];
      if (shape?.kind === "text")
        return [
          turnHandle(key, [shape.x, shape.y], shape.rotation ?? 0, 0, (shape.size ?? 1) + away),
        ];
      return pointHandles(key, shape?.points ?? [], (plan, points) =>
        withShape(plan, item.at, (of) => (of.kind === "text" ? of : { ...of, points })),
      );
    }
    case "stage":
      return stageHandles(scene);
    default:
      return [];
  }
}

/** Turns about a place. The handle is above it, as it is turned now, at the end of a line from near to
 * far. */
function turnHandle(key: Key, about: Point, now: number, near: number, far: number): Handle {
  const above = (by: number): Point => {
    const [x, y] = turned([0, -by], now);
    return [about[0] + x, about[1] + y];
  };
  const degrees = (at: Pointer) => {
    const exact = (Math.atan2(at.x - about[0], about[1] - at.y) * 180) / Math.PI;
    const step = at.shift ? 15 : at.alt ? 0.1 : TURN_STEP;
    return (Math.round(exact / step) * step + 360) % 360;
  };
  return {
    name: "turn",
    kind: "turn",
    at: above(far),
    from: above(near || far * 0.55),
    drag: (plan) => counting("turn", key, "degrees", degrees, (to) => turn(plan, key, to)),
  };
}

/** A drag that makes a number, and a document of it; the number is t, too. */
function counting(
  label: string,
  key: Key,
  note: string,
  count: (at: Pointer) => number,
  make: (count: number) => SeatsPlan,
): Drag {
  return handleDrag(
    label,
    [key],
    (at) => make(count(at)),
    (at) => ({ key: `note.${note}`, values: { count: Math.round(count(at) * 10) / 10 } }),
  );
}

function sectionHandles(scene: Scene, number: number, pixels: number): Handle[] {
  const origin = scene.origins[number];
  const section = scene.plan.sections?.[number];
  const [topLeft, , bottomRight] = cornersOf(scene, number);
  if (!origin || !section || !topLeft || !bottomRight) return [];
  const key = sectionKey(number);
  const away = AWAY_PIXELS / pixels;
  const top = topLeft[1];
  const turning = turnHandle(key, [origin.x, origin.y], origin.turn, -top, away - top);
  const [first] = framesOf(section);
  if (!first) return [turning];
  const grow = (kind: Growth, now: number, at: Point) => growHandle(kind, number, origin, now, at);
  const behind = bottomRight[1] + BEHIND_PIXELS / pixels;
  const beside = bottomRight[0] + away;
  const [middle, depth] = [(topLeft[0] + bottomRight[0]) / 2, Math.max(top, first.y)];
  const handles: Handle[] = [
    turning,
    {
      name: "curve",
      kind: "curve",
      at: toRoom(origin, along(first, first.length + 0.5 + away)),
      drag: (plan) => {
        const curve = ({ x, y }: Pointer) =>
          curveFor(first.length + 1 + 2 * away, first.y - toSection(origin, [x, y])[1]);
        return counting("curve", key, "degrees", curve, (by) =>
          withFields(plan, key, { curve: by || undefined }),
        );
      },
    },
    grow("rows", section.rows?.length ?? 0, [middle, behind]),
  ];
  const seats = section.rows?.[0]?.seats;
  if (seats) handles.push(grow("seats", seats, [beside, (depth + bottomRight[1]) / 2]));
  return handles;
}

/** How a section grows: by which of its axes, how many for each seat that the pointer goes. */
const GROWTHS = {
  rows: { axis: 1, each: 1, most: 500, set: setRows },
  // Both ends grow, because rows stand in the middle of their section.
  seats: { axis: 0, each: 2, most: 1000, set: setRowSeats },
} as const;
type Growth = keyof typeof GROWTHS;

function growHandle(
  kind: Growth,
  section: number,
  origin: Origin,
  before: number,
  at: Point,
): Handle {
  const { axis, each, most, set } = GROWTHS[kind];
  const count = ({ x, y }: Pointer) => {
    const by = toSection(origin, [x, y])[axis] - at[axis];
    return Math.min(most, Math.max(1, before + Math.round(by * each)));
  };
  return {
    name: kind,
    kind: "grow",
    at: toRoom(origin, at),
    drag: (plan) =>
      counting(kind, sectionKey(section), kind, count, (now) =>
        set(pin(plan, section), section, now),
      ),
  };
}

function pointHandles(
  key: Key,
  points: readonly Point[],
  put: (plan: SeatsPlan, points: Point[]) => SeatsPlan,
): Handle[] {
  if (points.length > POINTS_MAX) return [];
  const snapped = ({ x, y, alt }: Pointer): Point => [
    tidy(toRaster(x, alt)),
    tidy(toRaster(y, alt)),
  ];
  return points.map((own, number) => ({
    name: `point ${number}`,
    kind: "point",
    at: own,
    drag: (plan) =>
      handleDrag("points", [key], (at) => put(plan, points.with(number, snapped(at)))),
  }));
}

function stageHandles({ plan }: Scene): Handle[] {
  if (!plan.stage) return [];
  const { x, y, width, height } = { ...STAGE_DEFAULTS, ...plan.stage };
  // The stage stays where its middle is, so both of its sides move.
  const handle = (side: "width" | "height", at: Point, reach: (at: Pointer) => number): Handle => ({
    name: side,
    kind: "grow",
    at,
    drag: (of) => {
      const size = (pointer: Pointer) =>
        tidy(Math.max(STAGE_MIN, toRaster(Math.abs(reach(pointer)) * 2, pointer.alt)));
      return counting("stage.size", STAGE, side, size, (now) =>
        withFields(of, STAGE, { [side]: now }),
      );
    },
  });
  return [
    handle("width", [x + width / 2, y], (at) => at.x - x),
    handle("height", [x, y + height / 2], (at) => at.y - y),
  ];
}
