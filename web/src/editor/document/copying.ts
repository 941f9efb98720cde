// Commands that take away, copy and put in again. A copy carries whole items; what is put in gets
// names that are free, so that no unit comes twice.
import type { Point, Pool, Row, SeatsPlan, Section, Shape, Table } from "~/seatmap/plan";
import { STAGE_DEFAULTS } from "~/seatmap/plan";
import { edited, orNothing, tidy, withRow, withSection, withTable, type Edited } from "./edit";
import {
  itemOf,
  outermost,
  poolKey,
  rowKey,
  sectionKey,
  shapeKey,
  tableKey,
  type Key,
} from "./items";
import { pin } from "./moving";
import { freePoolName, freePrefix, freeSectionName, freeTableName, nextRowName } from "./naming";
import { sceneOf } from "./scene";
import { addTable, type Words } from "./adding";

/** What was copied; tables and sections with their places in the room. */
export type Clip = {
  readonly sections: readonly Section[];
  readonly rows: readonly { readonly section: number; readonly row: Row }[];
  readonly tables: readonly { readonly table: Table; readonly at: Point }[];
  readonly pools: readonly Pool[];
  readonly shapes: readonly Shape[];
};

export const isBlank = (clip: Clip): boolean =>
  clip.sections.length +
    clip.rows.length +
    clip.tables.length +
    clip.pools.length +
    clip.shapes.length ===
  0;

export function copy(plan: SeatsPlan, keys: readonly Key[]): Clip {
  const clip = {
    sections: [] as Section[],
    rows: [] as { section: number; row: Row }[],
    tables: [] as { table: Table; at: Point }[],
    pools: [] as Pool[],
    shapes: [] as Shape[],
  };
  for (const key of outermost(keys)) {
    const item = itemOf(key);
    if (item?.kind === "section") {
      const section = pin(plan, item.section).sections?.[item.section];
      if (section) clip.sections.push(section);
    } else if (item?.kind === "row") {
      const row = plan.sections?.[item.section]?.rows?.[item.row];
      if (row) clip.rows.push({ section: item.section, row });
    } else if (item?.kind === "table") {
      const table = plan.sections?.[item.section]?.tables?.[item.table];
      const shown = sceneOf(plan).tables.get(key);
      if (table && shown) clip.tables.push({ table, at: [shown.x, shown.y] });
    } else if (item?.kind === "pool") {
      const pool = plan.pools?.[item.pool];
      if (pool) clip.pools.push(pool);
    } else if (item?.kind === "shape") {
      const shape = plan.shapes?.[item.shape];
      if (shape) clip.shapes.push(shape);
    }
  }
  return clip;
}

/** Puts a copy in, moved by so many seats, and selects it. */
export function paste(plan: SeatsPlan, clip: Clip, words: Words, by: Point): Edited {
  let made = plan;
  const selection: Key[] = [];
  const add = (edit: Edited) => {
    made = edit.plan;
    selection.push(...edit.selection);
  };
  for (const section of clip.sections) add(pasteSection(made, section, by));
  for (const { section, row } of clip.rows) add(pasteRow(made, section, row));
  for (const { table, at } of clip.tables) {
    const place: Point = [at[0] + by[0], at[1] + by[1]];
    const { plan: grown, selection: keys } = addTable(made, words, place, table.seats, "round");
    add({ plan: likeTable(grown, keys[0] ?? "", table), selection: keys });
  }
  for (const pool of clip.pools) {
    const pools = made.pools ?? [];
    const copied = edited(pool, {
      unit: freePoolName(made, pool.unit),
      outline: pool.outline?.map(([x, y]) => [tidy(x + by[0]), tidy(y + by[1])]),
    });
    add({ plan: edited(made, { pools: [...pools, copied] }), selection: [poolKey(pools.length)] });
  }
  for (const shape of clip.shapes) {
    const shapes = made.shapes ?? [];
    const copied: Shape =
      shape.kind === "text"
        ? { ...shape, x: tidy(shape.x + by[0]), y: tidy(shape.y + by[1]) }
        : { ...shape, points: shape.points.map(([x, y]) => [tidy(x + by[0]), tidy(y + by[1])]) };
    add({
      plan: edited(made, { shapes: [...shapes, copied] }),
      selection: [shapeKey(shapes.length)],
    });
  }
  return { plan: made, selection };
}

function pasteSection(plan: SeatsPlan, section: Section, by: Point): Edited {
  const sections = plan.sections ?? [];
  const copied = edited(section, {
    name: freeSectionName(plan, section.name),
    x: tidy((section.x ?? 0) + by[0]),
    y: tidy((section.y ?? 0) + by[1]),
  });
  const prefix = freePrefix(plan, copied) || undefined;
  return {
    plan: edited(plan, { sections: [...sections, edited(copied, { prefix })] }),
    selection: [sectionKey(sections.length)],
  };
}

function pasteRow(plan: SeatsPlan, at: number, row: Row): Edited {
  const section = plan.sections?.[at];
  if (section === undefined) return { plan, selection: [] };
  const rows = section.rows ?? [];
  const own = edited(row, { name: nextRowName(section), y: undefined });
  const grown = withSection(plan, at, (of) => edited(of, { rows: [...rows, own] }));
  const prefix = freePrefix(grown, { ...section, rows: [...rows, own] }, at);
  const made = withSection(grown, at, (of) =>
    prefix === (of.prefix ?? "") ? of : edited(of, { prefix }),
  );
  return { plan: made, selection: [rowKey(at, rows.length)] };
}

/** Gives a new table all but the name and the place of another. */
function likeTable(plan: SeatsPlan, key: Key, like: Table): SeatsPlan {
  const item = itemOf(key);
  if (item?.kind !== "table") return plan;
  return withTable(plan, item.section, item.table, (own) =>
    edited(like, { name: own.name, x: own.x, y: own.y }),
  );
}

/** Copies right beside the first. */
export function duplicate(plan: SeatsPlan, keys: readonly Key[], words: Words): Edited {
  const item = keys.length === 1 ? itemOf(keys[0] ?? "") : null;
  if (item?.kind === "table") return duplicateTable(plan, item.section, item.table);
  const made = paste(plan, copy(plan, keys), words, [1, 1]);
  return made.selection.length > 0 ? made : { plan, selection: keys };
}

/** Another table of the same section, a table's breadth to the right. */
function duplicateTable(plan: SeatsPlan, section: number, at: number): Edited {
  const pinned = pin(plan, section);
  const of = pinned.sections?.[section];
  const shown = sceneOf(pinned).tables.get(tableKey(section, at));
  const table = of?.tables?.[at];
  if (!of || !table || !shown) return { plan, selection: [] };
  const made = edited(table, {
    name: freeTableName(of, table.name),
    x: tidy((table.x ?? 0) + shown.radius * 2 + 2),
    y: table.y ?? 0,
  });
  return {
    plan: withSection(pinned, section, (one) => ({
      ...one,
      tables: [...(one.tables ?? []), made],
    })),
    selection: [tableKey(section, of.tables?.length ?? 0)],
  };
}

/** Takes items away; a section that nothing is left of goes with its last part. */
export function remove(plan: SeatsPlan, keys: readonly Key[]): SeatsPlan {
  const gone = new Set(outermost(keys));
  if (gone.size === 0) return plan;
  const isParted = [...gone].some((key) => /^(section|row|table):/u.test(key));
  // What stands behind a section that goes would move forward; it stays.
  const pinned = isParted ? pinFrom(plan, gone) : plan;
  const sections = pinned.sections?.flatMap((section, at) => {
    if (gone.has(sectionKey(at))) return [];
    const rows = section.rows?.filter((_, row) => !gone.has(rowKey(at, row)));
    const tables = section.tables?.filter((_, table) => !gone.has(tableKey(at, table)));
    const isWhole =
      rows?.length === section.rows?.length && tables?.length === section.tables?.length;
    if (isWhole) return [section];
    if (!rows?.length && !tables?.length) return [];
    return [edited(section, { ...(rows && { rows }), ...(tables && { tables }) })];
  });
  const pools = pinned.pools?.filter((_, at) => !gone.has(poolKey(at)));
  const shapes = pinned.shapes?.filter((_, at) => !gone.has(shapeKey(at)));
  return edited(gone.has("stage") ? edited(pinned, { stage: undefined }) : pinned, {
    ...(pinned.sections && { sections: orNothing(sections ?? []) }),
    ...(pinned.pools && { pools: orNothing(pools ?? []) }),
    ...(pinned.shapes && { shapes: orNothing(shapes ?? []) }),
    ...(gone.has("focus") && { focus: undefined }),
  });
}

function pinFrom(plan: SeatsPlan, gone: ReadonlySet<Key>): SeatsPlan {
  const sections = [...gone].flatMap((key) => {
    const item = itemOf(key);
    return item?.kind === "section" || item?.kind === "row" || item?.kind === "table"
      ? [item.section]
      : [];
  });
  const made = pin(plan, Math.min(...sections));
  return [...gone].reduce((kept, key) => {
    const item = itemOf(key);
    return item?.kind === "row" ? keepBehind(kept, item.section, item.row) : kept;
  }, made);
}

/** The row behind one that goes keeps its depth. */
function keepBehind(plan: SeatsPlan, section: number, at: number): SeatsPlan {
  const rows = plan.sections?.[section]?.rows ?? [];
  const behind = rows[at + 1];
  if (behind === undefined || typeof behind.y === "number" || at === 0) return plan;
  let depth = 0;
  for (const row of rows.slice(0, at + 1)) depth = (row.y ?? depth) + 1;
  return withRow(plan, section, at + 1, (row) => edited(row, { y: tidy(depth) }));
}

/** The stage of a plan with what it leaves out. */
export const stageOf = (plan: SeatsPlan) =>
  plan.stage ? { ...STAGE_DEFAULTS, ...plan.stage } : null;
