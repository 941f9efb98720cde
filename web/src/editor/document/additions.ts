// Commands that add something to a room. Each gives it names that are free, and selects it.
import type { Point, Pool, Row, SeatsPlan, Section, Shape, Table } from "~/seatmap/plan";
import { edited, tidy, type Edited } from "./edit";
import { turned } from "./frames";
import { FOCUS, poolKey, sectionKey, shapeKey, STAGE, tableKey } from "./items";
import { pinAll } from "./moves";
import { freePoolName, freePrefix, freeSectionName, freeTableName } from "./freeNames";
import { ROW_SEATS_MAX, rowName } from "./rows";

/** The words that new things are called by, in the language of the operator. */
export type Words = {
  readonly section: string;
  readonly tables: string;
  readonly area: string;
  readonly stage: string;
  readonly screen: string;
  readonly text: string;
};

const ROWS_MAX = 500;
const POINTS_MAX = 1000;

/** The usual category of new things: the first that is listed, or the one that needs no name. */
const usualCategory = (plan: SeatsPlan): string | undefined => plan.categories?.[0]?.name;

/** A section at the end, with a name and a prefix that are free. */
export function appendSection(plan: SeatsPlan, section: Section): Edited {
  const sections = plan.sections ?? [];
  const named = { ...section, name: freeSectionName(plan, section.name) };
  const prefix = freePrefix(plan, named) || undefined;
  return {
    plan: edited(plan, { sections: [...sections, edited(named, { prefix })] }),
    selection: [sectionKey(sections.length)],
  };
}

/** A section of rows, the middle of its first row at a place. */
export function addSection(
  plan: SeatsPlan,
  words: Words,
  at: Point,
  rows: number,
  seats: number,
): Edited {
  const count = Math.min(ROWS_MAX, Math.max(1, Math.round(rows)));
  const wide = Math.min(ROW_SEATS_MAX, Math.max(1, Math.round(seats)));
  const made: Section = {
    name: `${words.section} ${(plan.sections?.length ?? 0) + 1}`,
    rows: Array.from({ length: count }, (_, row): Row => ({ name: rowName(row), seats: wide })),
    x: tidy(at[0]),
    y: tidy(at[1]),
  };
  return appendSection(plan, edited(made, { category: usualCategory(plan) }));
}

/** A table at a place: in the section that is named, in the last one that has only tables, or in a new
 * one. */
export function addTable(
  plan: SeatsPlan,
  words: Words,
  at: Point,
  seats: number,
  shape: "round" | "rectangle",
): Edited {
  const sections = plan.sections ?? [];
  const isHall = (one: Section) =>
    !one.rows?.length && (one.tables?.length ?? 0) > 0 && typeof one.x === "number";
  const found = sections.findLastIndex(isHall);
  const number = found < 0 ? sections.length : found;
  const name = freeSectionName(plan, words.tables);
  const fresh = edited<Section>(
    { name, tables: [], x: 0, y: 0 },
    { category: usualCategory(plan) },
  );
  const hall = sections[number] ?? fresh;
  const tables = hall.tables ?? [];
  const away: Point = [at[0] - (hall.x ?? 0), at[1] - (hall.y ?? 0)];
  const [x, y] = turned(away, -(hall.rotation ?? 0));
  const table = edited<Table>(
    {
      name: freeTableName(hall, tables.at(-1)?.name ?? "T0"),
      seats: Math.min(100, Math.max(1, Math.round(seats))),
      x: tidy(x),
      y: tidy(y),
    },
    { shape: shape === "rectangle" ? shape : undefined },
  );
  const filled = edited(hall, { tables: [...tables, table] });
  const prefix = freePrefix(plan, filled, found < 0 ? -1 : number) || undefined;
  const all = [...sections];
  all[number] = edited(filled, { prefix });
  return { plan: edited(plan, { sections: all }), selection: [tableKey(number, tables.length)] };
}

/** A standing area within an outline. About two people stand on the room of a seat. */
export function addPool(plan: SeatsPlan, words: Words, outline: readonly Point[]): Edited {
  const pools = plan.pools ?? [];
  const points = tidyPoints(outline);
  const capacity = Math.max(1, Math.round(areaOf(points) * 2));
  const made: Pool = { unit: freePoolName(plan, words.area), capacity, outline: points };
  const pool = edited(made, { category: usualCategory(plan) });
  return { plan: edited(plan, { pools: [...pools, pool] }), selection: [poolKey(pools.length)] };
}

export function addShape(plan: SeatsPlan, shape: Shape): Edited {
  const shapes = plan.shapes ?? [];
  const made = shape.kind === "text" ? shape : { ...shape, points: tidyPoints(shape.points) };
  return {
    plan: edited(plan, { shapes: [...shapes, made] }),
    selection: [shapeKey(shapes.length)],
  };
}

/** The stage or screen; a room has one, which moves where it is set anew. */
export function setStage(
  plan: SeatsPlan,
  words: Words,
  at: { x: number; y: number; width: number; height: number },
  kind: "stage" | "screen",
): Edited {
  const label = plan.stage?.label ?? (kind === "screen" ? words.screen : words.stage);
  const [width, height] = [tidy(at.width, 0.5), tidy(at.height, 0.2)];
  const box = { x: tidy(at.x), y: tidy(at.y), width, height };
  const named = { ...plan.stage, ...box, label };
  const stage = edited(named, { kind: kind === "stage" ? undefined : kind });
  return { plan: edited(pinAll(plan), { stage }), selection: [STAGE] };
}

export function setFocus(plan: SeatsPlan, [x, y]: Point): Edited {
  return { plan: edited(plan, { focus: [tidy(x), tidy(y)] }), selection: [FOCUS] };
}

export const tidyPoints = (points: readonly Point[]): Point[] =>
  points.slice(0, POINTS_MAX).map(([x, y]) => [tidy(x), tidy(y)]);

/** The area within an outline, in squares of a seat. */
export function areaOf(outline: readonly Point[]): number {
  const twice = outline.reduce((sum, [x, y], at) => {
    const [nextX, nextY] = outline[(at + 1) % outline.length] ?? [x, y];
    return sum + x * nextY - nextX * y;
  }, 0);
  return Math.abs(twice) / 2;
}
