// What each tool that draws makes: of a rectangle, of a click in the usual size, of an outline.
import type { Point, SeatsPlan } from "~/seatmap/plan";
import type { Editor } from "./context";
import { addPool, addSection, addShape, addTable, setFocus, setStage } from "./document/additions";
import { rectangle } from "./document/bounds";
import type { Edited } from "./document/edit";
import { DRAWING_TOOLS } from "./state";

type DrawingTool = (typeof DRAWING_TOOLS)[number];

export const isDrawing = (tool: string): tool is DrawingTool =>
  DRAWING_TOOLS.some((one) => one === tool);

const SHAPE_FILL = "#d8d2c8";
const LINE_STROKE = "#8d8798";
/** From the middle of a thing of the usual size to where a click makes it. */
const CORNERS: Partial<Record<DrawingTool, Point>> = { section: [-4.5, 0], area: [-5, -3] };

type Rectangle = readonly [Point, Point];

export function seatsIn([from, to]: Rectangle): { rows: number; seats: number } {
  return {
    rows: Math.floor(Math.abs(to[1] - from[1])) + 1,
    seats: Math.floor(Math.abs(to[0] - from[0])) + 1,
  };
}

/** What a tool makes of a rectangle; without the second corner, of a click. */
export function makeWith(
  { plan, words, state }: Editor,
  tool: DrawingTool,
  from: Point,
  to: Point | null,
): Edited {
  const { options } = state;
  const [x, y] = from;
  switch (tool) {
    case "section": {
      const { rows, seats } = to ? seatsIn([from, to]) : { rows: 5, seats: 10 };
      const [left, top] = [Math.min(x, to?.[0] ?? x), Math.min(y, to?.[1] ?? y)];
      return addSection(plan, words, [left + (seats - 1) / 2, top], rows, seats);
    }
    case "table":
      return addTable(plan, words, to ?? from, options.tableSeats, options.tableShape);
    case "area":
      return addPool(plan, words, rectangle(from, to ?? [x + 10, y + 6]));
    case "stage": {
      const usual = { x, y, width: 12, height: options.stageKind === "screen" ? 1 : 4 };
      return setStage(plan, words, to ? middleAndSize([from, to]) : usual, options.stageKind);
    }
    case "text":
      return addShape(plan, { kind: "text", text: words.text, x, y });
    case "focus":
      return setFocus(plan, to ?? from);
    case "line":
    case "polygon": {
      const [reach, high] = tool === "line" ? [4, 0] : [3, 2];
      const corners = rectangle([x - reach, y - high], [x + reach, y + high]);
      return drawn(plan, tool, tool === "line" ? corners.slice(0, 2) : corners);
    }
  }
}

const middleAndSize = ([[x, y], [toX, toY]]: Rectangle) => ({
  x: (x + toX) / 2,
  y: (y + toY) / 2,
  width: Math.abs(toX - x),
  height: Math.abs(toY - y),
});

function drawn(plan: SeatsPlan, tool: "line" | "polygon", points: readonly Point[]): Edited {
  return tool === "line"
    ? addShape(plan, { kind: "line", points, stroke: LINE_STROKE })
    : addShape(plan, { kind: "polygon", points, fill: SHAPE_FILL });
}

/** Adds a thing of the usual size in the middle of what is seen, and goes to its name. */
export function addInView(editor: Editor, tool: DrawingTool): void {
  const [byX, byY] = CORNERS[tool] ?? [0, 0];
  const [x, y] = editor.view.current?.middle() ?? [0, 0];
  const half = (value: number) => Math.round(value * 2) / 2;
  const edit = makeWith(editor, tool, [half(x) + byX, half(y) + byY], null);
  editor.change(`add.${tool}`, () => edit);
  editor.dispatch({ is: "tool", tool: "select" });
  editor.focusInspector();
}

export const takesPoints = ({ tool, options }: Editor["state"]): boolean =>
  tool === "line" || tool === "polygon" || (tool === "area" && options.areaForm === "polygon");

export function finishOutline(editor: Editor, points: readonly Point[]): void {
  const { tool } = editor.state;
  // A double click sets its point twice.
  const kept = points.filter((point, at) => {
    const before = points[at - 1];
    return !before || Math.hypot(point[0] - before[0], point[1] - before[1]) > 0.05;
  });
  if (kept.length < (tool === "line" ? 2 : 3)) return;
  if (tool === "line" || tool === "polygon")
    editor.change(`add.${tool}`, (plan) => drawn(plan, tool, kept));
  else editor.change("add.area", (plan) => addPool(plan, editor.words, kept));
  editor.dispatch({ is: "tool", tool: "select" });
}
