// The drawing area: the pointer selects, moves and draws in it with the tool in hand. What has been
// drawn becomes one command when the pointer is lifted.
import {
  useImperativeHandle,
  useRef,
  useState,
  type MouseEvent,
  type PointerEvent as ReactPointerEvent,
} from "react";
import { useTheme } from "~/design";
import type { Point } from "~/seatmap/plan";
import { useEditor, type View } from "../context";
import { hitOf } from "../document/bounds";
import type { Key } from "../document/items";
import { sceneOf } from "../document/scene";
import { finishOutline, isDrawing, takesPoints } from "../drawing";
import type { Tool } from "../state";
import { isBrush, toRaster, type Drag, type Pointer, type Shown } from "./drags";
import type { Handle } from "./handles";
import { Overlay } from "./Overlay";
import { Picture } from "./Picture";
import { beginDrag } from "./tools";
import { useView, type Frame } from "./view";

/** How near to a thing is on it, in pixels. */
const REACH = 8;

export function Canvas() {
  const { t, selection, state } = useEditor();
  const theme = useTheme();
  const { frame, camera, size, scene, shown, points, hovered, onHandle, events } = usePointers();
  const raster = {
    backgroundSize: `${camera.scale}px ${camera.scale}px`,
    backgroundPosition: `${camera.x - camera.scale / 2}px ${camera.y - camera.scale / 2}px`,
  };
  const isSelecting = state.tool === "select";
  return (
    // An application takes keys of its own, as its description says.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={frame}
      className="editor-canvas"
      role="application"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      aria-label={t("canvas.label")}
      aria-describedby="editor-canvas-help"
      data-cursor={isDrawing(state.tool) ? "draw" : isBrush(state.tool) ? "brush" : state.tool}
      data-raster={camera.scale > 9 || undefined}
      style={raster}
      onContextMenu={(event) => event.preventDefault()}
      {...events}
    >
      <Picture key={theme} scene={scene} camera={camera} size={size} />
      <Overlay
        scene={scene}
        camera={camera}
        size={size}
        selection={selection}
        hovered={isSelecting ? hovered : null}
        shown={shown}
        points={points}
        hasHandles={isSelecting}
        onHandle={onHandle}
      />
      <p id="editor-canvas-help" className="visually-hidden">
        {t("canvas.help")}
      </p>
    </div>
  );
}

function useOutline() {
  const editor = useEditor();
  const { tool } = editor.state;
  const [drawn, setDrawn] = useState<{ tool: Tool; points: readonly Point[] }>({
    tool,
    points: [],
  });
  const [last, setLast] = useState<Point | null>(null);
  // Another tool drops what was begun with this one.
  const points = drawn.tool === tool ? drawn.points : [];
  const put = (made: readonly Point[]) => setDrawn({ tool, points: made });
  return {
    points,
    /** With the place of the pointer. */
    shown: last && points.length > 0 ? [...points, last] : points,
    add: (point: Point) => put([...points, point]),
    follow: setLast,
    drop: () => put([]),
    finish: () => {
      if (points.length < 2) return false;
      finishOutline(editor, points);
      put([]);
      return true;
    },
  };
}

function useDrag(frame: Frame) {
  const { change, select } = useEditor();
  const [drag, setDrag] = useState<Drag | null>(null);
  const [shown, setShown] = useState<Shown | null>(null);
  const drop = () => {
    setDrag(null);
    setShown(null);
  };
  return {
    shown,
    isOn: drag !== null,
    drop,
    begin: (made: Drag | null, event: ReactPointerEvent) => {
      setDrag(made);
      // A pointer that has just gone cannot be caught; the drag then ends where it is.
      if (made && frame.current?.isConnected) frame.current.setPointerCapture(event.pointerId);
    },
    move: (at: Pointer) => setShown(drag?.move(at) ?? null),
    end: (at: Pointer) => {
      const { label = "", edit, selection } = drag?.end(at) ?? {};
      if (edit) change(label, () => edit);
      if (selection) select(selection);
      drop();
    },
  };
}

/** Lets the rest of the editor ask something of the canvas; gives what drops all that was begun. */
function useRegistered(
  frame: Frame,
  look: Pick<View, "middle" | "fit" | "zoom" | "show">,
  drag: ReturnType<typeof useDrag>,
  { points, drop, finish }: ReturnType<typeof useOutline>,
) {
  const cancel = () => {
    drag.drop();
    drop();
    return drag.isOn || points.length > 0;
  };
  const focus = () => frame.current?.focus({ preventScroll: true });
  useImperativeHandle(useEditor().view, () => ({ ...look, focus, finish, cancel }));
  return cancel;
}

/** What follows the pointer: the view, a drag, an outline, or what it is over. */
function usePointers() {
  const editor = useEditor();
  const { plan, state } = editor;
  const frame = useRef<HTMLDivElement>(null);
  const { pan, pinch, placeOf, camera, size, ...look } = useView(frame, state);
  const outline = useOutline();
  const drag = useDrag(frame);
  const [hovered, setHovered] = useState<Key | null>(null);
  const scene = sceneOf(drag.shown?.plan ?? plan);
  const hitAt = ([x, y]: Point) => hitOf(scene, x, y, REACH / camera.scale);
  const cancel = useRegistered(frame, look, drag, outline);
  const onPointerDown = (event: ReactPointerEvent) => {
    if (pinch.down(event)) return void cancel();
    const at = pointerOf(event, placeOf(event));
    const hit = hitAt([at.x, at.y]);
    const isEmptyTouch = event.pointerType === "touch" && state.tool === "select" && hit === null;
    if (isEmptyTouch) editor.select([]);
    if (pan.down(event, isEmptyTouch || state.tool === "hand") || event.button !== 0) return;
    if (takesPoints(state)) outline.add(snapPoint(at));
    else drag.begin(beginDrag(editor, hit, at, camera.scale), event);
  };
  const onPointerMove = (event: ReactPointerEvent) => {
    if (pinch.move(event) || pan.move(event)) return;
    const at = pointerOf(event, placeOf(event));
    if (drag.isOn) drag.move(at);
    else if (outline.points.length > 0) outline.follow(snapPoint(at));
    else if (event.pointerType === "mouse") setHovered(hitAt([at.x, at.y])?.key ?? null);
  };
  const onPointerUp = (event: ReactPointerEvent) => {
    pinch.up(event);
    pan.up();
    if (event.type === "pointercancel") drag.drop();
    else drag.end(pointerOf(event, placeOf(event)));
  };
  const onDoubleClick = (event: MouseEvent) => {
    if (takesPoints(state)) return void outline.finish();
    const part = state.tool === "select" ? hitAt(placeOf(event))?.part : null;
    if (part) editor.select([part]);
  };
  const onHandle = (handle: Handle, event: ReactPointerEvent) => {
    event.stopPropagation();
    if (event.button === 0) drag.begin(handle.drag(plan), event);
  };
  const onPointerLeave = () => setHovered(null);
  const moves = { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp };
  const events = { ...moves, onPointerLeave, onDoubleClick };
  return {
    frame,
    camera,
    size,
    scene,
    hovered,
    shown: drag.shown,
    points: outline.shown,
    onHandle,
    events,
  };
}

const pointerOf = (event: ReactPointerEvent, [x, y]: Point): Pointer => ({
  x,
  y,
  shift: event.shiftKey,
  alt: event.altKey,
});

const snapPoint = ({ x, y, alt }: Pointer): Point => [toRaster(x, alt), toRaster(y, alt)];
