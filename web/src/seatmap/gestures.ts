// Pointer gestures for touch and mouse: tap, drag, pinch, wheel, hover, and a box with shift.

export type ScreenPoint = { x: number; y: number };

export type Gestures = {
  onTap: (at: ScreenPoint, isTouch: boolean, isDouble: boolean) => void;
  onHover: (at: ScreenPoint | null) => void;
  onDrag: (byX: number, byY: number) => void;
  /** The drag has ended with this speed, in pixels per millisecond. */
  onFling: (speedX: number, speedY: number) => void;
  onZoom: (factor: number, at: ScreenPoint) => void;
  /** Returns whether the room moved; if not, the page scrolls. */
  onWheel: (byX: number, byY: number) => boolean;
  onBox: (from: ScreenPoint, to: ScreenPoint, isDone: boolean) => void;
  mayDrawBox: () => boolean;
};

const SLOP_MOUSE = 4;
const SLOP_TOUCH = 9;
const DOUBLE_MS = 320;
const DOUBLE_PIXELS = 28;
const FLING_MS = 90;
const WHEEL_ZOOM = 0.0022;
const LINE_PIXELS = 18;

type Finger = ScreenPoint & { readonly isTouch: boolean };

/** Listens on an element until the signal aborts. */
export function listen(element: HTMLElement, gestures: Gestures, signal: AbortSignal): void {
  const fingers = new Map<number, Finger>();
  let start: ScreenPoint | null = null;
  let box: ScreenPoint | null = null;
  let isDragging = false;
  let trail: { at: ScreenPoint; time: number }[] = [];
  let last = { time: -Infinity, x: 0, y: 0 };

  const pointOf = (event: PointerEvent | WheelEvent): ScreenPoint => {
    const { left, top } = element.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const on = <K extends keyof HTMLElementEventMap>(
    name: K,
    handle: (event: HTMLElementEventMap[K]) => void,
    options: AddEventListenerOptions = {},
  ) => element.addEventListener(name, handle, { ...options, signal });

  on("pointerdown", (event) => {
    if (event.button !== 0) return;
    const at = pointOf(event);
    fingers.set(event.pointerId, { ...at, isTouch: event.pointerType !== "mouse" });
    element.setPointerCapture?.(event.pointerId);
    gestures.onHover(null);
    if (fingers.size > 1) {
      start = null;
      isDragging = true;
      return;
    }
    start = at;
    isDragging = false;
    trail = [{ at, time: event.timeStamp }];
    box = event.shiftKey && gestures.mayDrawBox() ? at : null;
  });

  on("pointermove", (event) => {
    const at = pointOf(event);
    const before = fingers.get(event.pointerId);
    if (before === undefined) {
      if (event.pointerType === "mouse" && fingers.size === 0) gestures.onHover(at);
      return;
    }
    if (fingers.size === 2) pinch(event.pointerId, before, at);
    else if (box !== null) gestures.onBox(box, at, false);
    else if (isDragging) gestures.onDrag(at.x - before.x, at.y - before.y);
    else if (start !== null && far(start, at) > (before.isTouch ? SLOP_TOUCH : SLOP_MOUSE)) {
      isDragging = true;
      gestures.onDrag(at.x - start.x, at.y - start.y);
    }
    fingers.set(event.pointerId, { ...at, isTouch: before.isTouch });
    trail = [
      ...trail.filter(({ time }) => event.timeStamp - time < FLING_MS),
      { at, time: event.timeStamp },
    ];
  });

  const pinch = (id: number, before: Finger, at: ScreenPoint) => {
    const other = [...fingers].find(([one]) => one !== id)?.[1];
    if (other === undefined) return;
    const middle = (one: ScreenPoint): ScreenPoint => ({
      x: (one.x + other.x) / 2,
      y: (one.y + other.y) / 2,
    });
    const [from, to] = [middle(before), middle(at)];
    gestures.onDrag(to.x - from.x, to.y - from.y);
    gestures.onZoom(Math.max(1, far(at, other)) / Math.max(1, far(before, other)), to);
  };

  const lift = (event: PointerEvent, isTap: boolean) => {
    const finger = fingers.get(event.pointerId);
    if (finger === undefined) return;
    fingers.delete(event.pointerId);
    if (fingers.size > 0) return;
    const at = pointOf(event);
    if (box !== null) {
      const from = box;
      box = null;
      gestures.onBox(from, at, true);
    } else if (isDragging) {
      fling(at, event.timeStamp);
    } else if (isTap) {
      const isDouble = event.timeStamp - last.time < DOUBLE_MS && far(last, at) < DOUBLE_PIXELS;
      last = { ...at, time: event.timeStamp };
      gestures.onTap(at, finger.isTouch, isDouble);
    }
    isDragging = false;
  };

  const fling = (at: ScreenPoint, time: number) => {
    const first = trail.find((one) => time - one.time < FLING_MS);
    const passed = first === undefined ? 0 : time - first.time;
    if (first === undefined || passed < 10) return gestures.onFling(0, 0);
    gestures.onFling((at.x - first.at.x) / passed, (at.y - first.at.y) / passed);
  };

  on("pointerup", (event) => lift(event, true));
  on("pointercancel", (event) => lift(event, false));
  on("pointerleave", () => gestures.onHover(null));
  on(
    "wheel",
    (event) => {
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PIXELS : 1;
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        const by = Math.max(-120, Math.min(120, event.deltaY * unit));
        gestures.onZoom(
          Math.exp(-by * WHEEL_ZOOM * (event.ctrlKey && Math.abs(by) < 30 ? 4 : 1)),
          pointOf(event),
        );
        return;
      }
      const sideways = event.shiftKey && event.deltaX === 0;
      const [x, y] = sideways ? [event.deltaY, 0] : [event.deltaX, event.deltaY];
      if (gestures.onWheel(-x * unit, -y * unit)) event.preventDefault();
    },
    { passive: false },
  );
}

function far(one: ScreenPoint, other: ScreenPoint): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}
