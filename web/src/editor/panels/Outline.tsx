// The room as a tree: everything in it can be reached, selected and opened without a pointer.
import { useRef, useState, type KeyboardEvent } from "react";
import { number } from "~/i18n/format";
import type { SeatsPlan } from "~/seatmap/plan";
import { useEditor, type Editor } from "../context";
import { remove } from "../document/copies";
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
import { ToolIcon, type IconName } from "../Icon";
import { nameOf } from "../names";

type Leaf = {
  readonly key: Key;
  readonly level: 1 | 2;
  readonly count: number | null;
  readonly isOpen: boolean | null;
};

const PARTS_MAX = 300;

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
    case "pool":
      return "area";
    case "shape":
      return plan.shapes?.[item.at]?.kind ?? "polygon";
    default:
      return item?.kind ?? "stage";
  }
}

function sectionOf(key: Key): Key | null {
  const item = itemOf(key);
  return item?.kind === "row" || item?.kind === "table" ? sectionKey(item.section) : null;
}

/** A row that is selected on the canvas is shown in the tree, too. */
function withSectionOf(chosen: Key | null, opened: ReadonlySet<Key>): ReadonlySet<Key> {
  const section = chosen === null ? null : sectionOf(chosen);
  return section === null ? opened : new Set([...opened, section]);
}

export function Outline() {
  const { t, plan, selection } = useEditor();
  const [opened, setOpened] = useState<ReadonlySet<Key>>(new Set());
  const [active, setActive] = useState<Key | null>(null);
  const tree = useRef<HTMLUListElement>(null);
  const leaves = leavesOf(plan, withSectionOf(selection[0] ?? null, opened));
  const keys = leaves.map((leaf) => leaf.key);
  // The leaf that the tab key comes to.
  const stop = [active, selection[0]].find((key) => key && keys.includes(key)) ?? keys[0];
  const focusOn = (key: Key | undefined) => {
    if (key === undefined) return;
    setActive(key);
    tree.current?.querySelector<HTMLElement>(`[data-key="${key}"]`)?.focus();
  };
  const toggle = (key: Key) =>
    setOpened((before) => {
      const others = [...before].filter((other) => other !== key);
      return new Set(others.length < before.size ? others : [...others, key]);
    });
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
        <LeafItem
          key={leaf.key}
          leaf={leaf}
          isStop={leaf.key === stop}
          onActive={() => setActive(leaf.key)}
          onFold={() => toggle(leaf.key)}
          onGo={{
            ArrowDown: () => focusOn(keys[at + 1]),
            ArrowUp: () => focusOn(keys[at - 1]),
            Home: () => focusOn(keys[0]),
            End: () => focusOn(keys.at(-1)),
            In: () => (leaf.isOpen === false ? toggle(leaf.key) : focusOn(keys[at + 1])),
            Out: () => (leaf.isOpen ? toggle(leaf.key) : focusOn(sectionOf(leaf.key) ?? undefined)),
          }}
        />
      ))}
    </ul>
  );
}

type LeafProps = {
  leaf: Leaf;
  isStop: boolean;
  onActive: () => void;
  onFold: () => void;
  /** To other leaves, by keys; in and out are to the parts of a section and back. */
  onGo: Readonly<Record<string, () => void>>;
};

function LeafItem({ leaf, isStop, onActive, onFold, onGo }: LeafProps) {
  const editor = useEditor();
  const { plan, selection, show, toggle, t } = editor;
  const { key, level, isOpen, count } = leaf;
  const choose = (adds: boolean) => {
    onActive();
    if (adds) toggle(key);
    else show(key);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = onGo[directionOf(event.key, leaf)] ?? actOf(editor, event, key, choose);
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  return (
    <li
      data-key={key}
      role="treeitem"
      className="editor-leaf"
      data-level={level}
      aria-level={level}
      aria-selected={selection.includes(key)}
      aria-expanded={isOpen ?? undefined}
      tabIndex={isStop ? 0 : -1}
      onFocus={onActive}
      onClick={(event) => choose(event.shiftKey || event.ctrlKey || event.metaKey)}
      onKeyDown={onKeyDown}
    >
      <span
        className="editor-fold"
        data-open={isOpen || undefined}
        aria-hidden="true"
        onClick={(event) => {
          if (isOpen === null) return;
          event.stopPropagation();
          onFold();
        }}
      >
        {isOpen !== null && <ToolIcon name="chevron" size={16} />}
      </span>
      <ToolIcon name={iconOf(plan, key)} size={18} />
      <span className="editor-leaf-name">{nameOf(plan, key, t)}</span>
      {count !== null && <span className="editor-leaf-count tabular">{number(count)}</span>}
    </li>
  );
}

/** Where a key leads; arrows to the side lead in and out, the other way round from right to left. */
function directionOf(key: string, { isOpen, level }: Leaf): string {
  const isRtl = document.documentElement.dir === "rtl";
  if (key === (isRtl ? "ArrowLeft" : "ArrowRight")) return isOpen === null ? "" : "In";
  if (key === (isRtl ? "ArrowRight" : "ArrowLeft")) return isOpen || level === 2 ? "Out" : "";
  return key;
}

function actOf(
  { change, selection, focusInspector }: Editor,
  event: KeyboardEvent,
  key: Key,
  choose: (adds: boolean) => void,
): (() => void) | null {
  switch (event.key) {
    case "Enter":
      return () => {
        choose(false);
        focusInspector();
      };
    case " ":
      return () => choose(event.shiftKey);
    case "Delete":
      return () =>
        change("remove", (doc) => remove(doc, selection.includes(key) ? selection : [key]));
    default:
      return null;
  }
}
