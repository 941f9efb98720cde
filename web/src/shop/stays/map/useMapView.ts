// The window of the map: its size, where it looks, and how fingers, wheel and keys move it.
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
} from "react";
import type { Box } from "../box";
import { moved, viewOf, zoomed, type Size, type Spot, type View } from "./mercator";

const STEP = 80;
const WHEEL = 300;
const DRAG_MIN = 4;
const KEYS: Readonly<Record<string, Spot>> = {
  ArrowLeft: { x: -STEP, y: 0 },
  ArrowRight: { x: STEP, y: 0 },
  ArrowUp: { x: 0, y: -STEP },
  ArrowDown: { x: 0, y: STEP },
};

export type MapWindow = {
  size: Size | null;
  view: View | null;
  zoom: (by: number, at?: Spot) => void;
  show: (view: View) => void;
  onKeyDown: (event: KeyboardEvent) => void;
};

/** `first` is shown at first, and again whenever `about` changes; `onMoved` is told of each move by the visitor. */
export function useMapView(
  ref: RefObject<HTMLDivElement | null>,
  first: Box,
  about: string,
  onMoved: (view: View) => void,
): MapWindow {
  const size = useSize(ref);
  const [shown, setShown] = useState<{ about: string; view: View } | null>(null);
  const view = size === null ? null : shown?.about === about ? shown.view : viewOf(first, size);
  const now = useRef({ view, size });
  useLayoutEffect(() => {
    now.current = { view, size };
  });
  const show = useCallback(
    (next: View) => {
      now.current.view = next;
      setShown({ about, view: next });
      onMoved(next);
    },
    [about, onMoved],
  );
  const zoom = useCallback(
    (by: number, at?: Spot) => {
      const { view: from, size: room } = now.current;
      if (from === null || room === null) return;
      show(zoomed(from, by, at ?? { x: room.width / 2, y: room.height / 2 }, room));
    },
    [show],
  );
  const move = useCallback(
    (by: Spot) => {
      const { view: from, size: room } = now.current;
      if (from !== null && room !== null) show(moved(from, by, room));
    },
    [show],
  );
  useHands(ref, move, zoom);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey)
      return;
    const by = KEYS[event.key];
    if (by !== undefined) move(by);
    else if (event.key === "+" || event.key === "=") zoom(1);
    else if (event.key === "-") zoom(-1);
    else return;
    event.preventDefault();
  };
  return { size, view, zoom, show, onKeyDown };
}

function useSize(ref: RefObject<HTMLDivElement | null>): Size | null {
  const [size, setSize] = useState<Size | null>(null);
  useEffect(() => {
    const frame = ref.current;
    if (frame === null) return;
    const watcher = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = frame;
      if (width > 0 && height > 0) setSize({ width, height });
    });
    watcher.observe(frame);
    return () => watcher.disconnect();
  }, [ref]);
  return size;
}

/** Pointers move the map, two of them zoom it, and so does the wheel. */
function useHands(
  ref: RefObject<HTMLDivElement | null>,
  move: (by: Spot) => void,
  zoom: (by: number, at: Spot) => void,
): void {
  useEffect(() => {
    const frame = ref.current;
    if (frame === null) return;
    const stop = new AbortController();
    const { signal } = stop;
    const fingers = new Map<number, Spot>();
    let isDragged = false;
    const at = (event: MouseEvent): Spot => {
      const { left, top } = frame.getBoundingClientRect();
      return { x: event.clientX - left, y: event.clientY - top };
    };
    const down = (event: PointerEvent) => {
      if (event.button !== 0) return;
      isDragged = fingers.size > 0;
      fingers.set(event.pointerId, at(event));
    };
    const drag = (event: PointerEvent) => {
      const before = fingers.get(event.pointerId);
      if (before === undefined) return;
      const here = at(event);
      // A click with an unsteady hand is still one.
      if (!isDragged && Math.hypot(here.x - before.x, here.y - before.y) < DRAG_MIN) return;
      if (!isDragged) frame.setPointerCapture(event.pointerId);
      isDragged = true;
      const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
      fingers.set(event.pointerId, here);
      if (other === undefined) move({ x: before.x - here.x, y: before.y - here.y });
      else {
        const [was, is] = [apart(before, other), apart(here, other)];
        if (was > 0 && is > 0) zoom(Math.log2(is / was), between(here, other));
      }
    };
    const up = (event: PointerEvent) => fingers.delete(event.pointerId);
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      zoom(-event.deltaY / WHEEL, at(event));
    };
    frame.addEventListener("pointerdown", down, { signal });
    frame.addEventListener("pointermove", drag, { signal });
    frame.addEventListener("pointerup", up, { signal });
    frame.addEventListener("pointercancel", up, { signal });
    frame.addEventListener("wheel", wheel, { signal, passive: false });
    return () => stop.abort();
  }, [ref, move, zoom]);
}

function apart(one: Spot, other: Spot): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

function between(one: Spot, other: Spot): Spot {
  return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
}
