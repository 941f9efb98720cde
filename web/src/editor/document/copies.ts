// Commands that take away, copy and put in again. A copy carries whole items; what is put in gets
// names that are free, so that no unit comes twice.
import type { Point, Row, SeatsPlan, Section, Table } from "~/seatmap/plan";
import { edited, orNothing, tidy, withRow, withSection, withTable, type Edited } from "./edit";
import {
  FOCUS,
  itemOf,
  outermost,
  partOf,
  poolKey,
  rowKey,
  sectionKey,
  shapeKey,
  STAGE,
  tableKey,
  type Key,
} from "./items";
import { move, pin } from "./moves";
import { freePoolName, freeTableName, nextRowName } from "./freeNames";
import { sceneOf } from "./scene";
import { withFreePrefix } from "./sections";
import { addTable, appendSection, type Words } from "./additions";

/** What was copied: the document as it was, and which of its things. */
export type Clip = { readonly plan: SeatsPlan; readonly keys: readonly Key[] };

/** A room has one stage and one focus, so they are not copied. */
export function copy(plan: SeatsPlan, keys: readonly Key[]): Clip {
  return { plan, keys: outermost(keys).filter((key) => key !== STAGE && key !== FOCUS) };
}

/** Puts a copy in, moved by so many seats, and selects it. */
export function paste(plan: SeatsPlan, clip: Clip, words: Words, by: Point): Edited {
  return clip.keys.reduce<Edited>(
    (made, key) => {
      const edit = pasteOne(made.plan, clip.plan, key, words, by);
      return { plan: edit.plan, selection: [...made.selection, ...edit.selection] };
    },
    { plan, selection: [] },
  );
}

function pasteOne(plan: SeatsPlan, from: SeatsPlan, key: Key, words: Words, [x, y]: Point): Edited {
  const item = itemOf(key);
  const nothing = { plan, selection: [] };
  switch (item?.kind) {
    case "section": {
      const section = pin(from, item.section).sections?.[item.section];
      return section ? pasteSection(plan, section, [x, y]) : nothing;
    }
    case "row": {
      const row = partOf(from, item);
      return row ? pasteRow(plan, item.section, row) : nothing;
    }
    case "table": {
      const table = partOf(from, item);
      const shown = sceneOf(from).tables.get(key);
      if (!table || !shown) return nothing;
      const made = addTable(plan, words, [shown.x + x, shown.y + y], table.seats, "round");
      return { ...made, plan: likeTable(made.plan, made.selection[0] ?? "", table) };
    }
    case "pool": {
      const pool = partOf(from, item);
      if (!pool) return nothing;
      const copied = { ...pool, unit: freePoolName(plan, pool.unit) };
      const pools = [...(plan.pools ?? []), copied];
      return movedAs(edited(plan, { pools }), poolKey(pools.length - 1), [x, y]);
    }
    case "shape": {
      const shape = partOf(from, item);
      if (!shape) return nothing;
      const shapes = [...(plan.shapes ?? []), shape];
      return movedAs(edited(plan, { shapes }), shapeKey(shapes.length - 1), [x, y]);
    }
    default:
      return nothing;
  }
}

const movedAs = (plan: SeatsPlan, key: Key, by: Point): Edited => ({
  plan: move(plan, [key], ...by),
  selection: [key],
});

function pasteSection(plan: SeatsPlan, section: Section, by: Point): Edited {
  const made = appendSection(plan, section);
  return { ...made, plan: move(made.plan, made.selection, ...by) };
}

function pasteRow(plan: SeatsPlan, at: number, row: Row): Edited {
  const section = plan.sections?.[at];
  if (section === undefined) return { plan, selection: [] };
  const rows = section.rows ?? [];
  const own = edited(row, { name: nextRowName(section), y: undefined });
  const grown = withSection(plan, at, (of) => edited(of, { rows: [...rows, own] }));
  return { plan: withFreePrefix(grown, at), selection: [rowKey(at, rows.length)] };
}

/** Gives a new table all but the name and the place of another. */
function likeTable(plan: SeatsPlan, key: Key, like: Table): SeatsPlan {
  const item = itemOf(key);
  if (item?.kind !== "table") return plan;
  return withTable(plan, item.section, item.at, (own) =>
    edited(like, { name: own.name, x: own.x, y: own.y }),
  );
}

/** Copies right beside the first. */
export function duplicate(plan: SeatsPlan, keys: readonly Key[], words: Words): Edited {
  const item = keys.length === 1 ? itemOf(keys[0] ?? "") : null;
  if (item?.kind === "table") return duplicateTable(plan, item.section, item.at);
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
  const tables = [...(of.tables ?? []), made];
  return {
    plan: withSection(pinned, section, (one) => ({ ...one, tables })),
    selection: [tableKey(section, tables.length - 1)],
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
    return rows?.length || tables?.length ? [edited(section, { rows, tables })] : [];
  });
  return edited(pinned, {
    sections: orNothing(sections),
    pools: orNothing(pinned.pools?.filter((_, at) => !gone.has(poolKey(at)))),
    shapes: orNothing(pinned.shapes?.filter((_, at) => !gone.has(shapeKey(at)))),
    ...(gone.has(STAGE) && { stage: undefined }),
    ...(gone.has(FOCUS) && { focus: undefined }),
  });
}

function pinFrom(plan: SeatsPlan, gone: ReadonlySet<Key>): SeatsPlan {
  const parts = [...gone].map(itemOf).filter((item) => item !== null && "section" in item);
  const made = pin(plan, Math.min(...parts.map((item) => item.section)));
  return parts.reduce(
    (kept, item) => (item.kind === "row" ? keepBehind(kept, item.section, item.at) : kept),
    made,
  );
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
