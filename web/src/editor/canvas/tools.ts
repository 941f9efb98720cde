// Which drag a tool begins, where the pointer went down.
import type { Point } from "~/seatmap/plan";
import type { Editor } from "../context";
import type { Hit } from "../document/bounds";
import { isDrawing, makeWith, seatsIn } from "../drawing";
import {
  brushDrag,
  drawDrag,
  isBrush,
  marqueeDrag,
  moveDrag,
  type Drag,
  type Pointer,
} from "./drags";

/** The drag of the tool in hand; null where a press does nothing. */
export function beginDrag(
  editor: Editor,
  hit: Hit | null,
  at: Pointer,
  pixels: number,
): Drag | null {
  const { plan, selection, state } = editor;
  const { tool, options } = state;
  if (tool === "select") return selecting(editor, hit, at, pixels);
  if (isBrush(tool)) return brushDrag(plan, selection, tool, options, 6 / pixels);
  if (!isDrawing(tool)) return null;
  const make = (from: Point, to: Point | null) => makeWith(editor, tool, from, to);
  const drag = drawDrag(`add.${tool}`, at, make, tool === "section" ? noteOfSeats : undefined);
  // Tables come in numbers; anything else one wants to shape, not to draw another.
  return tool === "table" ? drag : thenSelect(editor, drag);
}

function noteOfSeats(box: readonly [Point, Point]) {
  const { rows, seats } = seatsIn(box);
  return { key: "note.section", values: { rows, seats, total: rows * seats } };
}

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
    return marqueeDrag(plan, at.shift ? selection : [], at);
  }
  const key = hit.part !== null && selection.includes(hit.part) ? hit.part : hit.key;
  if (at.shift) {
    editor.toggle(key);
    return { move: () => ({}), end: () => null };
  }
  const isSelected = selection.includes(key);
  if (!isSelected) editor.select([key]);
  const drag = moveDrag(plan, isSelected ? selection : [key], at, pixels);
  let hasMoved = false;
  return {
    move: (now) => {
      // A hand that shakes does not move a room.
      hasMoved ||= Math.hypot(now.x - at.x, now.y - at.y) * pixels >= 4;
      return hasMoved ? drag.move(now) : {};
    },
    end: (now) => {
      if (hasMoved) return drag.end(now);
      return selection.length > 1 ? { label: "select", selection: [key] } : null;
    },
  };
}
