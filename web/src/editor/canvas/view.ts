// What part of the room is seen, and how wheels, pinches and the space bar move it.
import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type PointerEvent as ReactPointerEvent,
  type RefObject,
} from "react";
import {
  centred,
  fitting,
  inRoom,
  onScreen,
  zoomed,
  type Camera,
  type Size,
} from "~/seatmap/camera";
import type { Point } from "~/seatmap/plan";
import { middle, type Box } from "~/seatmap/box";
import { sceneOf, type Scene } from "../document/scene";
import { isBlank, type EditorState } from "../state";

const SCALE = { least: 0.5, most: 90 };
const EMPTY_SCALE = 22;
const EDGE = 40;

export type Frame = RefObject<HTMLDivElement | null>;
type SetCamera = (change: (now: Camera) => Camera) => void;

/** The camera of the canvas, with what moves it; `frame` is the element that it looks through. */
export function useView(frame: Frame, state: EditorState) {
  const [camera, setCamera] = useState<Camera>({ scale: EMPTY_SCALE, x: 0, y: 0 });
  const size = useSize(frame);
  const isKnown = size.width > 0;
  const fit = () => setCamera(cameraFor(sceneOf(state.history.present.plan), size));
  useLayoutEffect(() => {
    if (isKnown) fit();
    // Only a document that is opened is shown wholly; edits and windows keep the view.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [state.opened, isKnown]);
  useWheel(frame, setCamera);
  const pinch = usePinch(frame, setCamera);
  const pan = usePan(frame, setCamera);
  const placeOf = (event: { clientX: number; clientY: number }): Point => {
    const box = frame.current?.getBoundingClientRect();
    return inRoom(camera, [event.clientX - (box?.left ?? 0), event.clientY - (box?.top ?? 0)]);
  };
  const show = (box: Box) => {
    const [atX, atY] = onScreen(camera, middle(box));
    const isSeen = Math.min(atX, atY, size.width - atX, size.height - atY) > EDGE;
    if (!isSeen) setCamera(centred(...middle(box), camera.scale, size));
  };
  return {
    camera,
    size,
    pinch,
    pan,
    placeOf,
    fit,
    show,
    middle: () => inRoom(camera, [size.width / 2, size.height / 2]),
    zoom: (factor: number) =>
      setCamera((now) => zoomed(now, factor, { x: size.width / 2, y: size.height / 2 }, SCALE)),
  };
}

function useSize(frame: Frame): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(() =>
      setSize({ width: element.clientWidth, height: element.clientHeight }),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [frame]);
  return size;
}

function cameraFor({ plan, room }: Scene, size: Size): Camera {
  return room.units.length === 0 && isBlank(plan) && !plan.pools?.length
    ? centred(0, 6, EMPTY_SCALE, size)
    : fitting(room.box, size, 30);
}

/** Whether the space bar is down, which makes any tool a hand. */
function useSpace() {
  const isDown = useRef(false);
  useLayoutEffect(() => {
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

/** A pointer that moves the view: one that is asked to, the middle button, any with the space bar. */
function usePan(frame: Frame, setCamera: SetCamera) {
  const from = useRef<{ x: number; y: number } | null>(null);
  const hasSpace = useSpace();
  return {
    /** Begins; whether it does. */
    down: (event: ReactPointerEvent, isAsked: boolean) => {
      if (!isAsked && event.button !== 1 && !hasSpace.current) return false;
      from.current = { x: event.clientX, y: event.clientY };
      frame.current?.setPointerCapture(event.pointerId);
      return true;
    },
    move: (event: ReactPointerEvent) => {
      if (from.current === null) return false;
      const [x, y] = [event.clientX - from.current.x, event.clientY - from.current.y];
      from.current = { x: event.clientX, y: event.clientY };
      setCamera((now) => ({ ...now, x: now.x + x, y: now.y + y }));
      return true;
    },
    up: () => {
      from.current = null;
    },
  };
}

/** Wheels move the view, and zoom it with Ctrl, as a pinch on a trackpad does. */
function useWheel(frame: Frame, setCamera: SetCamera) {
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

/** Fingers by their pointers; two of them zoom and move together. */
function usePinch(frame: Frame, setCamera: SetCamera) {
  const touches = useRef(new Map<number, { x: number; y: number }>());
  const put = (event: ReactPointerEvent) =>
    touches.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
  /** Where the middle of the two is, and how far they are from each other. */
  const span = () => {
    const [one = { x: 0, y: 0 }, other = one] = [...touches.current.values()];
    const far = Math.hypot(one.x - other.x, one.y - other.y);
    return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2, far };
  };
  return {
    /** Notes a finger; whether it is the second. */
    down: (event: ReactPointerEvent) => put(event).size === 2,
    up: (event: ReactPointerEvent) => touches.current.delete(event.pointerId),
    /** Follows a finger; whether two of them have moved the view. */
    move: (event: ReactPointerEvent) => {
      if (!touches.current.has(event.pointerId)) return false;
      const before = span();
      put(event);
      const box = frame.current?.getBoundingClientRect();
      if (touches.current.size !== 2 || !box) return false;
      const now = span();
      const at = { x: before.x - box.left, y: before.y - box.top };
      setCamera((camera) => {
        const made = zoomed(camera, now.far / Math.max(1, before.far), at, SCALE);
        return { ...made, x: made.x + now.x - before.x, y: made.y + now.y - before.y };
      });
      return true;
    },
  };
}
