// The handles of what is selected: where each is, and what document a drag of it makes.
import { STAGE_DEFAULTS, type Point, type SeatsPlan } from "~/seatmap/plan";
import { cornersOf, isEmpty, boxOfItem } from "../document/bounds";
import { edited, tidy, withPool, withSection, withShape } from "../document/edit";
import { along, curveFor, framesOf } from "../document/frames";
import { itemOf, type Key } from "../document/items";
import { pin, pinAll, turn } from "../document/moving";
import { sceneOf, toRoom, toSection, type Scene } from "../document/scene";
import { setRows, setRowSeats } from "../document/sections";
import { handling, toRaster, type Drag, type Pointer } from "./drags";

export type Handle = {
  readonly name: string;
  readonly kind: "turn" | "curve" | "grow" | "point";
  readonly at: Point;
  /** Where a line to the handle begins. */
  readonly from?: Point;
  readonly drag: (plan: SeatsPlan) => Drag;
};

const AWAY_PIXELS = 34;
/** Beyond the names of the rows, which stand beside them. */
const SIDE_PIXELS = 34;
const BEHIND_PIXELS = 20;
const TURN_STEP = 5;
const POINTS_MAX = 60;

/** The handles of a selection of one item; of several none. */
export function handlesOf(scene: Scene, selection: readonly Key[], pixels: number): Handle[] {
  const key = selection[0];
  if (selection.length !== 1 || key === undefined) return [];
  const item = itemOf(key);
  switch (item?.kind) {
    case "section":
      return sectionHandles(scene, key, item.section, pixels);
    case "table": {
      const table = scene.tables.get(key);
      if (!table) return [];
      return [
        turnHandle(key, [table.x, table.y], table.radius + 0.6 + AWAY_PIXELS / pixels, table.turn),
      ];
    }
    case "pool": {
      const { outline } = scene.plan.pools?.[item.pool] ?? {};
      return pointHandles(key, outline ?? [], (plan, points) =>
        withPool(plan, item.pool, (pool) => ({ ...pool, outline: points })),
      );
    }
    case "shape": {
      const shape = scene.plan.shapes?.[item.shape];
      if (shape?.kind === "text") {
        return [
          turnHandle(
            key,
            [shape.x, shape.y],
            (shape.size ?? 1) + AWAY_PIXELS / pixels,
            shape.rotation ?? 0,
          ),
        ];
      }
      return pointHandles(key, shape?.points ?? [], (plan, points) =>
        withShape(plan, item.shape, (of) => (of.kind === "text" ? of : { ...of, points })),
      );
    }
    case "stage":
      return stageHandles(scene, key);
    default:
      return [];
  }
}

/** Turns about a place; the handle stands above it as it is turned now. */
function turnHandle(key: Key, about: Point, far: number, now: number): Handle {
  const angle = (now * Math.PI) / 180;
  const away = (by: number): Point => [
    about[0] + by * Math.sin(angle),
    about[1] - by * Math.cos(angle),
  ];
  const degrees = (at: Pointer) => {
    const exact = (Math.atan2(at.x - about[0], about[1] - at.y) * 180) / Math.PI;
    const step = at.shift ? 15 : at.alt ? 0.1 : TURN_STEP;
    return (Math.round(exact / step) * step + 360) % 360;
  };
  return {
    name: "turn",
    kind: "turn",
    at: away(far),
    from: away(far * 0.55),
    drag: (plan) =>
      handling(
        "turn",
        [key],
        (at) => turn(plan, key, degrees(at)),
        (at) => ({ key: "note.degrees", values: { degrees: Math.round(degrees(at) * 10) / 10 } }),
      ),
  };
}

function sectionHandles(scene: Scene, key: Key, section: number, pixels: number): Handle[] {
  const origin = scene.origins[section];
  const of = scene.plan.sections?.[section];
  const [topLeft, , bottomRight] = cornersOf(scene, section);
  if (!origin || !of || !topLeft || !bottomRight) return [];
  const room = (x: number, y: number) => toRoom(origin, [x, y]);
  const top = topLeft[1];
  const reach = AWAY_PIXELS / pixels;
  const angle = (origin.turn * Math.PI) / 180;
  const handles: Handle[] = [];
  const turning = turnHandle(key, [origin.x, origin.y], reach - top, origin.turn);
  const from = room(0, top);
  handles.push({
    ...turning,
    from,
    at: [from[0] + reach * Math.sin(angle), from[1] - reach * Math.cos(angle)],
  });
  const frames = framesOf(of).frames;
  const first = frames[0];
  const last = frames.at(-1);
  if (!first || !last) return handles;
  const end = along(first, first.length + 0.5 + SIDE_PIXELS / pixels);
  handles.push({
    name: "curve",
    kind: "curve",
    at: toRoom(origin, end),
    drag: (plan) => {
      const curve = (at: Pointer) => {
        const [, y] = toSection(origin, [at.x, at.y]);
        return curveFor(first.length + 1 + (2 * SIDE_PIXELS) / pixels, first.y - y);
      };
      return handling(
        "curve",
        [key],
        (at) =>
          withSection(pin(plan, section), section, (one) =>
            edited(one, { curve: curve(at) || undefined }),
          ),
        (at) => ({ key: "note.degrees", values: { degrees: curve(at) } }),
      );
    },
  });
  const rowsCount = of.rows?.length ?? 0;
  const seats = of.rows?.[0]?.seats ?? 0;
  handles.push({
    name: "rows",
    kind: "grow",
    at: room((topLeft[0] + bottomRight[0]) / 2, bottomRight[1] + BEHIND_PIXELS / pixels),
    drag: (plan) => {
      const start = bottomRight[1] + BEHIND_PIXELS / pixels;
      const count = (at: Pointer) =>
        Math.min(
          500,
          Math.max(1, rowsCount + Math.round(toSection(origin, [at.x, at.y])[1] - start)),
        );
      return handling(
        "rows",
        [key],
        (at) => setRows(pin(plan, section), section, count(at)),
        (at) => ({ key: "note.rows", values: { count: count(at) } }),
      );
    },
  });
  if (seats > 0) {
    const side = bottomRight[0] + SIDE_PIXELS / pixels;
    handles.push({
      name: "seats",
      kind: "grow",
      at: room(side, (Math.max(top, first.y) + bottomRight[1]) / 2),
      drag: (plan) => {
        // Both ends grow, because rows stand in the middle of their section.
        const count = (at: Pointer) => {
          const grown = toSection(origin, [at.x, at.y])[0] - side;
          return Math.min(1000, Math.max(1, seats + Math.round(grown * 2)));
        };
        return handling(
          "seats",
          [key],
          (at) => setRowSeats(pin(plan, section), section, count(at)),
          (at) => ({ key: "note.seats", values: { count: count(at) } }),
        );
      },
    });
  }
  return handles;
}

function pointHandles(
  key: Key,
  points: readonly Point[],
  put: (plan: SeatsPlan, points: Point[]) => SeatsPlan,
): Handle[] {
  if (points.length > POINTS_MAX) return [];
  return points.map((own, number) => ({
    name: `point ${number}`,
    kind: "point",
    at: own,
    drag: (plan) =>
      handling("points", [key], (at) =>
        put(
          plan,
          points.map((point, other): Point =>
            other === number ? [tidy(toRaster(at.x, at.alt)), tidy(toRaster(at.y, at.alt))] : point,
          ),
        ),
      ),
  }));
}

function stageHandles(scene: Scene, key: Key): Handle[] {
  const { plan } = scene;
  if (!plan.stage) return [];
  const stage = { ...STAGE_DEFAULTS, ...plan.stage };
  const box = boxOfItem(sceneOf(plan), key);
  if (isEmpty(box)) return [];
  const put = (size: { width?: number; height?: number }) => (of: SeatsPlan) =>
    edited(pinAll(of), { stage: { ...of.stage, ...size } });
  const width = (at: Pointer) =>
    tidy(Math.max(RASTER_STAGE, toRaster(Math.abs(at.x - stage.x) * 2, at.alt)));
  const height = (at: Pointer) =>
    tidy(Math.max(RASTER_STAGE, toRaster(Math.abs(at.y - stage.y) * 2, at.alt)));
  return [
    {
      name: "width",
      kind: "grow",
      at: [box.right, stage.y],
      drag: (of) =>
        handling(
          "stage.size",
          [key],
          (at) => put({ width: width(at) })(of),
          (at) => ({
            key: "note.width",
            values: { count: width(at) },
          }),
        ),
    },
    {
      name: "height",
      kind: "grow",
      at: [stage.x, box.bottom],
      drag: (of) =>
        handling(
          "stage.size",
          [key],
          (at) => put({ height: height(at) })(of),
          (at) => ({
            key: "note.height",
            values: { count: height(at) },
          }),
        ),
    },
  ];
}

const RASTER_STAGE = 0.5;
