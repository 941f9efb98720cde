// Which drag a tool begins, where the pointer went down.
import type { Point } from "~/seatmap/plan";
import {
  addPool,
  addSection,
  addShape,
  addTable,
  rectangle,
  setFocus,
  setStage,
} from "../document/adding";
import type { Hit } from "../document/bounds";
import { itemOf } from "../document/items";
import type { Editor } from "../context";
import type { Options, Tool } from "../state";
import { brushing, drawing, marquee, moving, seatsIn, type Drag, type Pointer } from "./drags";

export const SHAPE_FILL = "#d8d2c8";
export const LINE_STROKE = "#8d8798";

/** Whether the tool draws an outline point by point. */
export const takesPoints = (tool: Tool, options: Options): boolean =>
  tool === "line" || tool === "polygon" || (tool === "area" && options.areaForm === "polygon");

/** Ends an outline that was drawn point by point. */
export function finishOutline(editor: Editor, points: readonly Point[]): void {
  const { tool } = editor.state;
  // A double click sets its point twice.
  const kept = points.filter((point, at) => {
    const before = points[at - 1];
    return !before || Math.hypot(point[0] - before[0], point[1] - before[1]) > 0.05;
  });
  if (tool === "line" && kept.length > 1) {
    editor.change("add.line", (plan) =>
      addShape(plan, { kind: "line", points: kept, stroke: LINE_STROKE }),
    );
  } else if (tool === "polygon" && kept.length > 2) {
    editor.change("add.polygon", (plan) =>
      addShape(plan, { kind: "polygon", points: kept, fill: SHAPE_FILL }),
    );
  } else if (tool === "area" && kept.length > 2) {
    editor.change("add.area", (plan) => addPool(plan, editor.words, kept));
  } else return;
  editor.dispatch({ is: "tool", tool: "select" });
}

/** The drag of the tool in hand; null where a press does nothing. */
export function beginDrag(
  editor: Editor,
  hit: Hit | null,
  at: Pointer,
  pixels: number,
): Drag | null {
  const { plan, selection, words, state } = editor;
  const { tool, options } = state;
  switch (tool) {
    case "select":
      return selecting(editor, hit, at, pixels);
    case "erase":
    case "aisle":
    case "wheelchair":
    case "companion":
    case "paint":
      return brushing(plan, selection, tool, options, 6 / pixels);
    case "section":
      return thenSelect(
        editor,
        drawing(
          "add.section",
          at,
          (box, isClick) => {
            const { rows, seats } = isClick ? { rows: 5, seats: 10 } : seatsIn(box);
            const left = Math.min(box[0][0], box[1][0]);
            const top = Math.min(box[0][1], box[1][1]);
            return addSection(plan, words, [left + (seats - 1) / 2, top], rows, seats);
          },
          (box) => {
            const { rows, seats } = seatsIn(box);
            return { key: "note.section", values: { rows, seats, total: rows * seats } };
          },
        ),
      );
    case "table":
      return drawing("add.table", at, (box) =>
        addTable(plan, words, box[1], options.tableSeats, options.tableShape),
      );
    case "area":
      return thenSelect(
        editor,
        drawing("add.area", at, ([from, to], isClick) =>
          addPool(
            plan,
            words,
            isClick ? rectangle(from, [from[0] + 10, from[1] + 6]) : rectangle(from, to),
          ),
        ),
      );
    case "stage":
      return thenSelect(
        editor,
        drawing("add.stage", at, ([from, to], isClick) => {
          const width = isClick ? 12 : Math.abs(to[0] - from[0]);
          const height = isClick
            ? options.stageKind === "screen"
              ? 1
              : 4
            : Math.abs(to[1] - from[1]);
          const x = isClick ? from[0] : (from[0] + to[0]) / 2;
          const y = isClick ? from[1] : (from[1] + to[1]) / 2;
          return setStage(plan, words, { x, y, width, height }, options.stageKind);
        }),
      );
    case "text":
      return thenSelect(
        editor,
        drawing("add.text", at, ([[x, y]]) =>
          addShape(plan, { kind: "text", text: words.text, x, y }),
        ),
      );
    case "focus":
      return thenSelect(
        editor,
        drawing("add.focus", at, ([, to]) => setFocus(plan, to)),
      );
    default:
      return null;
  }
}

/** After one of these one wants to shape it, not to draw another. */
function thenSelect(editor: Editor, drag: Drag): Drag {
  return {
    move: drag.move,
    end: (at) => {
      const outcome = drag.end(at);
      editor.dispatch({ is: "tool", tool: "select" });
      return outcome;
    },
  };
}

function selecting(editor: Editor, hit: Hit | null, at: Pointer, pixels: number): Drag {
  const { plan, selection } = editor;
  if (hit === null) {
    if (!at.shift) editor.select([]);
    return marquee(plan, at.shift ? selection : [], at);
  }
  const key = hit.part !== null && selection.includes(hit.part) ? hit.part : hit.key;
  const isSelected = selection.includes(key);
  if (at.shift) {
    const keys = isSelected ? selection.filter((other) => other !== key) : [...selection, key];
    editor.select(keys);
    return { move: () => ({}), end: () => null };
  }
  const keys = isSelected ? selection : [key];
  if (!isSelected) editor.select(keys);
  const drag = moving(plan, keys, at, pixels);
  // A hand that shakes does not move a room.
  const isStill = (now: Pointer) => Math.hypot(now.x - at.x, now.y - at.y) * pixels < 4;
  let hasMoved = false;
  return {
    move: (now) => {
      hasMoved ||= !isStill(now);
      return hasMoved ? drag.move(now) : {};
    },
    end: (now) => {
      if (hasMoved) return drag.end(now);
      const isOne = itemOf(key) !== null && selection.length > 1;
      return isOne ? { label: "select", selection: [key] } : null;
    },
  };
}
