// The drawing area: the camera, and the pointer that selects, moves and draws in it with the tool in
// hand. What has been drawn becomes one command when the pointer is lifted.
import {
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type PointerEvent as ReactPointerEvent,
} from "react";
import { useTranslation } from "react-i18next";
import { useTheme } from "~/design/Choices";
import { centred, fitting, zoomed, type Camera, type Size } from "~/seatmap/camera";
import type { Point } from "~/seatmap/plan";
import { hitOf } from "../document/bounds";
import type { Key } from "../document/items";
import { sceneOf } from "../document/scene";
import { useEditor } from "../context";
import type { Drag, Pointer, Shown } from "./drags";
import type { Handle } from "./handles";
import { Overlay } from "./Overlay";
import { Picture } from "./Picture";
import { beginDrag, finishOutline, takesPoints } from "./tools";

const SCALE = { least: 0.5, most: 90 };
const EMPTY_SCALE = 22;

export function Canvas() {
  const editor = useEditor();
  const { t } = useTranslation("editor");
  const { plan, selection, state } = editor;
  const frame = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  const [camera, setCamera] = useState<Camera>({ scale: EMPTY_SCALE, x: 0, y: 0 });
  const [shown, setShown] = useState<Shown | null>(null);
  const [points, setPoints] = useState<readonly Point[]>([]);
  const [pointer, setPointer] = useState<Point | null>(null);
  const [hovered, setHovered] = useState<Key | null>(null);
  const drag = useRef<Drag | null>(null);
  const panning = useRef<{ x: number; y: number } | null>(null);
  const touches = useRef(new Map<number, { x: number; y: number }>());
  const hasSpace = useSpace();
  const theme = useTheme();
  const scene = sceneOf(shown?.plan ?? plan);

  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(() =>
      setSize({ width: element.clientWidth, height: element.clientHeight }),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const isKnown = size.width > 0;
  const fit = () => setCamera(cameraFor(sceneOf(plan), size));
  useLayoutEffect(() => {
    if (isKnown) setCamera(cameraFor(sceneOf(plan), size));
    // Only a document that is opened is shown wholly; edits and windows keep the view.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [state.opened, isKnown]);

  const cancel = () => {
    const had = drag.current !== null || points.length > 0;
    drag.current = null;
    setShown(null);
    setPoints([]);
    return had;
  };
  const finish = () => {
    if (points.length < 2) return false;
    finishOutline(editor, points);
    setPoints([]);
    return true;
  };
  editor.view.current = {
    middle: () => [
      (size.width / 2 - camera.x) / camera.scale,
      (size.height / 2 - camera.y) / camera.scale,
    ],
    fit,
    zoom: (factor) =>
      setCamera((now) => zoomed(now, factor, { x: size.width / 2, y: size.height / 2 }, SCALE)),
    show: (box) => {
      const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
      const isSeen =
        x * camera.scale + camera.x > 40 &&
        x * camera.scale + camera.x < size.width - 40 &&
        y * camera.scale + camera.y > 40 &&
        y * camera.scale + camera.y < size.height - 40;
      if (!isSeen) setCamera(centred(x, y, camera.scale, size));
    },
    focus: () => frame.current?.focus({ preventScroll: true }),
    finish,
    cancel,
  };
  useEffect(() => setPoints([]), [state.tool]);
  useWheel(frame, setCamera);

  const placeOf = (event: { clientX: number; clientY: number }): Point => {
    const box = frame.current?.getBoundingClientRect();
    const [x, y] = [event.clientX - (box?.left ?? 0), event.clientY - (box?.top ?? 0)];
    return [(x - camera.x) / camera.scale, (y - camera.y) / camera.scale];
  };
  const pointerOf = (event: ReactPointerEvent | PointerEvent): Pointer => {
    const [x, y] = placeOf(event);
    return { x, y, shift: event.shiftKey, alt: event.altKey };
  };
  const take = (made: Drag, event: ReactPointerEvent) => {
    drag.current = made;
    // A pointer that has just gone cannot be caught; the drag then ends where it is.
    if (frame.current?.isConnected) frame.current.setPointerCapture(event.pointerId);
  };

  const onPointerDown = (event: ReactPointerEvent) => {
    touches.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (touches.current.size === 2) {
      cancel();
      return;
    }
    const at = pointerOf(event);
    const isPan = event.button === 1 || hasSpace.current || state.tool === "hand";
    const hit = hitOf(scene, at.x, at.y, 8 / camera.scale);
    const isEmptyTouch = event.pointerType === "touch" && state.tool === "select" && hit === null;
    if (isPan || isEmptyTouch) {
      panning.current = { x: event.clientX, y: event.clientY };
      frame.current?.setPointerCapture(event.pointerId);
      if (isEmptyTouch) editor.select([]);
      return;
    }
    if (event.button !== 0) return;
    if (takesPoints(state.tool, state.options)) {
      const point = snapPoint(at);
      setPoints((before) => [...before, point]);
      return;
    }
    const made = beginDrag(editor, hit, at, camera.scale);
    if (made) take(made, event);
  };
  const onPointerMove = (event: ReactPointerEvent) => {
    const before = touches.current.get(event.pointerId);
    if (before && touches.current.size === 2) {
      pinch(touches.current, event, frame.current, setCamera);
      return;
    }
    if (before) touches.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const from = panning.current;
    if (from) {
      panning.current = { x: event.clientX, y: event.clientY };
      setCamera((now) => ({
        ...now,
        x: now.x + event.clientX - from.x,
        y: now.y + event.clientY - from.y,
      }));
      return;
    }
    const at = pointerOf(event);
    if (drag.current) setShown(drag.current.move(at));
    else if (points.length > 0) setPointer(snapPoint(at));
    else if (event.pointerType === "mouse") {
      setHovered(hitOf(scene, at.x, at.y, 8 / camera.scale)?.key ?? null);
    }
  };
  const onPointerUp = (event: ReactPointerEvent) => {
    touches.current.delete(event.pointerId);
    panning.current = null;
    const made = drag.current;
    drag.current = null;
    setShown(null);
    if (!made || event.type === "pointercancel") return;
    const outcome = made.end(pointerOf(event));
    if (outcome?.edit) {
      const { edit } = outcome;
      editor.change(outcome.label, () => edit);
    }
    if (outcome?.selection) editor.select(outcome.selection);
  };
  const onDoubleClick = (event: { clientX: number; clientY: number }) => {
    if (takesPoints(state.tool, state.options)) return void finish();
    if (state.tool !== "select") return;
    const [x, y] = placeOf(event);
    const hit = hitOf(scene, x, y, 8 / camera.scale);
    if (hit?.part) editor.select([hit.part]);
  };
  const onHandle = (handle: Handle, event: ReactPointerEvent) => {
    event.stopPropagation();
    if (event.button === 0) take(handle.drag(plan), event);
  };

  const drawn = useMemo(
    () => (pointer && points.length > 0 ? [...points, pointer] : points),
    [points, pointer],
  );
  const raster = {
    backgroundSize: `${camera.scale}px ${camera.scale}px`,
    backgroundPosition: `${camera.x - camera.scale / 2}px ${camera.y - camera.scale / 2}px`,
  };
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
      data-tool={state.tool}
      data-raster={camera.scale > 9 || undefined}
      style={raster}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={onPointerUp}
      onPointerLeave={() => setHovered(null)}
      onDoubleClick={onDoubleClick}
      onContextMenu={(event) => event.preventDefault()}
    >
      <Picture key={theme} scene={scene} camera={camera} size={size} />
      <Overlay
        scene={scene}
        camera={camera}
        size={size}
        selection={selection}
        hovered={state.tool === "select" ? hovered : null}
        shown={shown}
        points={drawn}
        hasHandles={state.tool === "select"}
        told={(key, values) => t(key, values)}
        onHandle={onHandle}
      />
      <p id="editor-canvas-help" className="visually-hidden">
        {t("canvas.help")}
      </p>
    </div>
  );
}

const snapPoint = (at: Pointer): Point =>
  at.alt ? [at.x, at.y] : [Math.round(at.x * 2) / 2, Math.round(at.y * 2) / 2];

function cameraFor(scene: ReturnType<typeof sceneOf>, size: Size): Camera {
  const { plan, room } = scene;
  const isBlank =
    room.units.length === 0 && !plan.stage && !plan.pools?.length && !plan.shapes?.length;
  if (isBlank) return { ...centred(0, 6, EMPTY_SCALE, size) };
  return fitting(room.box, { width: size.width, height: size.height }, 30);
}

/** Whether the space bar is down, which makes any tool a hand. */
function useSpace() {
  const isDown = useRef(false);
  useEffect(() => {
    const follow = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof Element &&
        event.target.closest("input, select, button, [role=treeitem]");
      if (event.key === " " && !isTyping) isDown.current = event.type === "keydown";
    };
    globalThis.addEventListener("keydown", follow);
    globalThis.addEventListener("keyup", follow);
    return () => {
      globalThis.removeEventListener("keydown", follow);
      globalThis.removeEventListener("keyup", follow);
    };
  }, []);
  return isDown;
}

/** Wheels move the view, and zoom it with Ctrl, as a pinch on a trackpad does. */
function useWheel(
  frame: React.RefObject<HTMLDivElement | null>,
  setCamera: (change: (now: Camera) => Camera) => void,
) {
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const box = element.getBoundingClientRect();
      const at = { x: event.clientX - box.left, y: event.clientY - box.top };
      if (event.ctrlKey || event.metaKey) {
        setCamera((now) => zoomed(now, Math.exp(-event.deltaY * 0.006), at, SCALE));
      } else {
        const [x, y] = event.shiftKey ? [event.deltaY, event.deltaX] : [event.deltaX, event.deltaY];
        setCamera((now) => ({ ...now, x: now.x - x, y: now.y - y }));
      }
    };
    // React's own listener could not keep the page from scrolling.
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [frame, setCamera]);
}

/** Two fingers zoom and move together. */
function pinch(
  touches: Map<number, { x: number; y: number }>,
  event: ReactPointerEvent,
  frame: HTMLDivElement | null,
  setCamera: (change: (now: Camera) => Camera) => void,
) {
  const [one, other] = [...touches.values()];
  const box = frame?.getBoundingClientRect();
  if (!one || !other || !box) return;
  const before = Math.hypot(one.x - other.x, one.y - other.y);
  const middle = { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
  touches.set(event.pointerId, { x: event.clientX, y: event.clientY });
  const [now1, now2] = [...touches.values()];
  if (!now1 || !now2) return;
  const factor = Math.hypot(now1.x - now2.x, now1.y - now2.y) / Math.max(1, before);
  const to = { x: (now1.x + now2.x) / 2, y: (now1.y + now2.y) / 2 };
  setCamera((now) => {
    const made = zoomed(now, factor, { x: middle.x - box.left, y: middle.y - box.top }, SCALE);
    return { ...made, x: made.x + to.x - middle.x, y: made.y + to.y - middle.y };
  });
}
