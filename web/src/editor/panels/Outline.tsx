// The room as a tree: everything in it can be reached, selected and opened without a pointer.
import { useRef, useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { number } from "~/i18n/format";
import type { SeatsPlan } from "~/seatmap/plan";
import { useEditor } from "../context";
import { boxOfItem, isEmpty } from "../document/bounds";
import { remove } from "../document/copying";
import {
  FOCUS,
  itemOf,
  poolKey,
  rowKey,
  sectionKey,
  shapeKey,
  STAGE,
  tableKey,
  type Key,
} from "../document/items";
import { seatsOf } from "../document/rows";
import { sceneOf } from "../document/scene";
import { ToolIcon, type IconName } from "../Icon";
import { nameOf } from "../names";

type Leaf = {
  readonly key: Key;
  readonly level: 1 | 2;
  readonly count: number | null;
  readonly isOpen: boolean | null;
};

const PARTS_MAX = 300;

/** The lines of the tree that are shown. */
function leavesOf(plan: SeatsPlan, open: ReadonlySet<Key>): Leaf[] {
  const leaves: Leaf[] = [];
  const add = (key: Key, level: 1 | 2, count: number | null, isOpen: boolean | null = null) =>
    leaves.push({ key, level, count, isOpen });
  if (plan.stage) add(STAGE, 1, null);
  (plan.sections ?? []).forEach((section, at) => {
    const key = sectionKey(at);
    const rows = section.rows ?? [];
    const tables = section.tables ?? [];
    const seats = rows.reduce((sum, row) => sum + seatsOf(row), 0);
    const total = tables.reduce((sum, table) => sum + (table.whole ? 1 : table.seats), seats);
    add(key, 1, total, open.has(key));
    if (!open.has(key)) return;
    rows.slice(0, PARTS_MAX).forEach((row, part) => add(rowKey(at, part), 2, seatsOf(row)));
    tables.slice(0, PARTS_MAX).forEach((table, part) => add(tableKey(at, part), 2, table.seats));
  });
  (plan.pools ?? []).forEach((pool, at) => add(poolKey(at), 1, pool.capacity));
  (plan.shapes ?? []).forEach((_, at) => add(shapeKey(at), 1, null));
  if (plan.focus) add(FOCUS, 1, null);
  return leaves;
}

function iconOf(plan: SeatsPlan, key: Key): IconName {
  const item = itemOf(key);
  switch (item?.kind) {
    case "section":
      return plan.sections?.[item.section]?.rows?.length ? "section" : "table";
    case "row":
      return "line";
    case "table":
      return "table";
    case "pool":
      return "area";
    case "shape":
      return plan.shapes?.[item.shape]?.kind ?? "polygon";
    case "focus":
      return "focus";
    default:
      return "stage";
  }
}

/** A row that is selected on the canvas is shown in the tree, too. */
function withSectionOf(chosen: Key | null, opened: ReadonlySet<Key>): ReadonlySet<Key> {
  const item = chosen === null ? null : itemOf(chosen);
  if (item?.kind !== "row" && item?.kind !== "table") return opened;
  return new Set([...opened, sectionKey(item.section)]);
}

export function Outline() {
  const { t } = useTranslation("editor");
  const editor = useEditor();
  const { plan, selection, select, change, view, focusInspector } = editor;
  const [opened, setOpen] = useState<ReadonlySet<Key>>(new Set());
  const [active, setActive] = useState<Key | null>(null);
  const tree = useRef<HTMLUListElement>(null);
  const chosen = selection[0] ?? null;
  const leaves = leavesOf(plan, withSectionOf(chosen, opened));
  const current = leaves.some((leaf) => leaf.key === active)
    ? active
    : (chosen ?? leaves[0]?.key ?? null);
  const stop = leaves.some((leaf) => leaf.key === current) ? current : (leaves[0]?.key ?? null);

  const focusOn = (key: Key | undefined) => {
    if (key === undefined) return;
    setActive(key);
    tree.current?.querySelector<HTMLElement>(`[data-key="${key}"]`)?.focus();
  };
  const choose = (key: Key, adds: boolean) => {
    setActive(key);
    if (!adds) select([key]);
    else
      select(
        selection.includes(key) ? selection.filter((one) => one !== key) : [...selection, key],
      );
    const box = boxOfItem(sceneOf(plan), key);
    if (!isEmpty(box)) view.current?.show(box);
  };
  const toggle = (key: Key, isOpen: boolean) =>
    setOpen((before) => {
      const made = new Set(before);
      if (isOpen) made.add(key);
      else made.delete(key);
      return made;
    });
  const onKeyDown = (event: KeyboardEvent, leaf: Leaf, at: number) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isRtl = document.documentElement.dir === "rtl";
    const key =
      isRtl && event.key === "ArrowLeft"
        ? "ArrowRight"
        : isRtl && event.key === "ArrowRight"
          ? "ArrowLeft"
          : event.key;
    const acts: Record<string, () => void> = {
      ArrowDown: () => focusOn(leaves[at + 1]?.key),
      ArrowUp: () => focusOn(leaves[at - 1]?.key),
      Home: () => focusOn(leaves[0]?.key),
      End: () => focusOn(leaves.at(-1)?.key),
      ArrowRight: () =>
        leaf.isOpen === false
          ? toggle(leaf.key, true)
          : leaf.isOpen
            ? focusOn(leaves[at + 1]?.key)
            : undefined,
      ArrowLeft: () => {
        const item = itemOf(leaf.key);
        if (leaf.isOpen) toggle(leaf.key, false);
        else if (item?.kind === "row" || item?.kind === "table") focusOn(sectionKey(item.section));
      },
      Enter: () => {
        choose(leaf.key, false);
        focusInspector();
      },
      " ": () => choose(leaf.key, event.shiftKey),
      Delete: () =>
        change("remove", (doc) =>
          remove(doc, selection.includes(leaf.key) ? selection : [leaf.key]),
        ),
    };
    const act = acts[key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  if (leaves.length === 0) return <p className="editor-text">{t("outline.empty")}</p>;
  return (
    <ul
      ref={tree}
      className="editor-tree"
      role="tree"
      aria-label={t("outline.title")}
      aria-multiselectable="true"
    >
      {leaves.map((leaf, at) => (
        <li
          key={leaf.key}
          data-key={leaf.key}
          role="treeitem"
          className="editor-leaf"
          data-level={leaf.level}
          aria-level={leaf.level}
          aria-selected={selection.includes(leaf.key)}
          aria-expanded={leaf.isOpen ?? undefined}
          tabIndex={leaf.key === stop ? 0 : -1}
          onFocus={() => setActive(leaf.key)}
          onClick={(event) => choose(leaf.key, event.shiftKey || event.ctrlKey || event.metaKey)}
          onKeyDown={(event) => onKeyDown(event, leaf, at)}
        >
          <span
            className="editor-fold"
            data-open={leaf.isOpen || undefined}
            aria-hidden="true"
            onClick={(event) => {
              if (leaf.isOpen === null) return;
              event.stopPropagation();
              toggle(leaf.key, !leaf.isOpen);
            }}
          >
            {leaf.isOpen !== null && <ToolIcon name="chevron" size={16} />}
          </span>
          <ToolIcon name={iconOf(plan, leaf.key)} size={18} />
          <span className="editor-leaf-name">{nameOf(plan, leaf.key, editor.told)}</span>
          {leaf.count !== null && (
            <span className="editor-leaf-count tabular">{number(leaf.count)}</span>
          )}
        </li>
      ))}
    </ul>
  );
}
