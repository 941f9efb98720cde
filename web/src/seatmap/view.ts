// The view of a room: canvases, camera, animation. It draws at most once a frame, and only what
// changed. While a large room moves, the last drawing is moved along and redrawn sharp afterwards.
import {
  between,
  centred,
  fitting,
  clamped,
  inRoom,
  onScreen,
  SEAT_PIXELS_MAX,
  zoomed,
  type Camera,
  type Size,
} from "./camera";
import { Grid } from "./grid";
import type { SeatStates } from "./seatStates";
import type { Look } from "./look";
import { MapOverlay } from "./overlay";
import { Painter, type PaintState } from "./painter";
import type { Box } from "./box";
import type { Room, RoomPool } from "./room";
import type { ScreenPoint } from "./gestures";

/** Marks of the time from plan to first paint. */
export const PLAN_MARK = "bespeak-seatmap-plan";
export const PAINT_MEASURE = "bespeak-seatmap-first-paint";

const RATIO_MAX = 2.5;
const SLOW_MS = 10;
const SHARPEN_MS = 130;
/** After a slow drawing, wait this many times as long. */
const IDLE_SHARE = 4;
const GLIDE_MS = 340;
const FRICTION_MS = 170;
const FLING_LEAST = 0.12;
const CHANGES_MAX = 800;

export class RoomView {
  readonly overlay: MapOverlay;
  readonly grid: Grid;
  readonly #room: Room;
  readonly #seatStates: SeatStates;
  readonly #canvas: HTMLCanvasElement;
  readonly #top: HTMLCanvasElement;
  readonly #base = document.createElement("canvas");
  readonly #left: (pool: RoomPool) => string;
  readonly #moved: (isFit: boolean) => void;
  #painter: Painter;
  #filter = -1;
  #camera: Camera = { scale: 1, x: 0, y: 0 };
  #painted: Camera | null = null;
  #size: Size = { width: 0, height: 0 };
  #ratio = 1;
  #frame = 0;
  #changed = new Set<number>();
  #isStale = true;
  #lastMs = 0;
  #sharpenAt = 0;
  #motion: ((now: number) => Camera | null) | null = null;
  #isFit = true;
  #isReducedMotion = false;

  constructor(options: {
    canvas: HTMLCanvasElement;
    top: HTMLCanvasElement;
    states: SeatStates;
    look: Look;
    left: (pool: RoomPool) => string;
    onMoved: (isFit: boolean) => void;
  }) {
    this.#canvas = options.canvas;
    this.#top = options.top;
    this.#seatStates = options.states;
    this.#room = options.states.room;
    this.#left = options.left;
    this.#moved = options.onMoved;
    this.grid = new Grid(this.#room.x, this.#room.y);
    this.#painter = new Painter(this.#room, options.look, this.grid);
    this.overlay = new MapOverlay(this.#room, options.look, () => this.wake());
  }

  get camera(): Camera {
    return this.#camera;
  }

  get size(): Size {
    return this.#size;
  }

  get isFit(): boolean {
    return this.#isFit;
  }

  set isReducedMotion(value: boolean) {
    this.#isReducedMotion = value;
    this.overlay.isReducedMotion = value;
  }

  set look(look: Look) {
    this.#painter = new Painter(this.#room, look, this.grid);
    this.overlay.look = look;
    this.refresh();
  }

  get look(): Look {
    return this.#painter.look;
  }

  /** The only category that is not dimmed; -1: none is dimmed. */
  set filter(category: number) {
    this.#filter = category;
    this.refresh();
  }

  resize(size: Size, ratio: number): void {
    if (size.width < 2 || size.height < 2) return;
    const sharp = Math.min(RATIO_MAX, Math.max(1, ratio));
    if (
      size.width === this.#size.width &&
      size.height === this.#size.height &&
      sharp === this.#ratio
    )
      return;
    this.#ratio = sharp;
    const middle = this.#isFit
      ? null
      : this.toRoom({ x: this.#size.width / 2, y: this.#size.height / 2 });
    this.#size = size;
    for (const canvas of [this.#canvas, this.#top, this.#base]) {
      canvas.width = Math.round(size.width * this.#ratio);
      canvas.height = Math.round(size.height * this.#ratio);
    }
    this.#camera =
      middle === null
        ? this.#fitted()
        : this.#clamped(centred(middle.x, middle.y, this.#camera.scale, size));
    this.refresh();
    // Resizing clears a canvas: draw at once, so that nothing flickers.
    if (this.#painted !== null) this.#draw(performance.now());
  }

  refresh(): void {
    this.#isStale = true;
    this.wake();
  }

  redraw(units: readonly number[]): void {
    for (const unit of units) this.#changed.add(unit);
    this.wake();
  }

  wake(): void {
    if (this.#frame === 0) this.#frame = requestAnimationFrame((now) => this.#tick(now));
  }

  stop(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = -1;
  }

  toRoom(at: ScreenPoint): ScreenPoint {
    const [x, y] = inRoom(this.#camera, [at.x, at.y]);
    return { x, y };
  }

  toScreen(roomX: number, roomY: number): ScreenPoint {
    const [x, y] = onScreen(this.#camera, [roomX, roomY]);
    return { x, y };
  }

  drag(byX: number, byY: number): boolean {
    this.#motion = null;
    return this.#go({ ...this.#camera, x: this.#camera.x + byX, y: this.#camera.y + byY });
  }

  zoom(factor: number, at: ScreenPoint, isSmooth = false): void {
    const to = this.#clamped(zoomed(this.#camera, factor, at, this.#limits()));
    if (isSmooth) this.#glide(to);
    else {
      this.#motion = null;
      this.#go(to);
    }
  }

  fit(): void {
    this.#glide(this.#fitted(), true);
  }

  show(box: Box, most = SEAT_PIXELS_MAX * 0.8): void {
    this.#glide(this.#clamped(fitting(box, this.#size, most)));
  }

  /** Scrolls a point into view with at least this scale; does nothing if it is visible. */
  reveal(x: number, y: number, least: number): void {
    const { x: left, y: top } = this.toScreen(x, y);
    const margin = 56;
    const isSeen =
      left > margin &&
      top > margin &&
      left < this.#size.width - margin &&
      top < this.#size.height - margin;
    if (isSeen && this.#camera.scale >= least) return;
    const scale = Math.max(this.#camera.scale, least);
    this.#glide(this.#clamped(centred(x, y, scale, this.#size)));
  }

  fling(speedX: number, speedY: number): void {
    if (this.#isReducedMotion || Math.hypot(speedX, speedY) < FLING_LEAST) return;
    let before = performance.now();
    let [x, y] = [speedX, speedY];
    this.#motion = (now) => {
      const passed = Math.min(64, Math.max(0, now - before));
      before = now;
      const camera = {
        ...this.#camera,
        x: this.#camera.x + x * passed,
        y: this.#camera.y + y * passed,
      };
      const slower = Math.exp(-passed / FRICTION_MS);
      x *= slower;
      y *= slower;
      const next = this.#clamped(camera);
      return Math.hypot(x, y) < 0.02 ? null : next;
    };
    this.wake();
  }

  get fitScale(): number {
    return this.#fitted().scale;
  }

  #fitted(): Camera {
    return clamped(fitting(this.#room.box, this.#size), this.#room.box, this.#size);
  }

  #clamped(camera: Camera): Camera {
    return clamped(camera, this.#room.box, this.#size);
  }

  #limits(): { least: number; most: number } {
    const fit = this.fitScale;
    return { least: fit, most: Math.max(SEAT_PIXELS_MAX, fit) };
  }

  #go(camera: Camera, isFit = false): boolean {
    const next = this.#clamped(camera);
    const { scale, x, y } = this.#camera;
    const isMoved =
      Math.abs(next.x - x) > 0.01 || Math.abs(next.y - y) > 0.01 || next.scale !== scale;
    this.#camera = next;
    this.#isFit = isFit || Math.abs(next.scale - this.fitScale) < 1e-6;
    if (isMoved) {
      this.#moved(this.#isFit);
      this.wake();
    }
    return isMoved;
  }

  #glide(to: Camera, isFit = false): void {
    if (this.#isReducedMotion) {
      this.#motion = null;
      this.#go(to, isFit);
      return;
    }
    const from = this.#camera;
    const start = performance.now();
    this.#motion = (now) => {
      const share = Math.min(1, Math.max(0, (now - start) / GLIDE_MS));
      if (share >= 1) {
        this.#go(to, isFit);
        return null;
      }
      return between(from, to, 1 - (1 - share) ** 3, this.#size);
    };
    this.wake();
  }

  #tick(now: number): void {
    if (this.#frame === -1) return;
    this.#frame = 0;
    if (this.#size.width < 2) return;
    if (this.#motion !== null) {
      const motion = this.#motion;
      const next = motion(now);
      if (next !== null) this.#go(next);
      if (this.#motion === motion) {
        if (next === null) {
          this.#motion = null;
          this.#isStale = true; // it has come to rest: now it is drawn sharp
        } else this.wake();
      }
    }
    this.#draw(now);
  }

  #draw(now: number): void {
    const base = this.#base.getContext("2d");
    const front = this.#canvas.getContext("2d");
    const top = this.#top.getContext("2d");
    if (base === null || front === null || top === null || this.#base.width === 0) return;
    const painted = this.#painted;
    const isMoved = painted === null || !same(painted, this.#camera);
    let isSharp = true;
    if (this.#isStale || isMoved || this.#changed.size > CHANGES_MAX) {
      const mayWait = painted !== null && !this.#isStale && this.#lastMs > SLOW_MS;
      if (isMoved && mayWait && (this.#motion !== null || now < this.#sharpenAt)) {
        isSharp = false;
      } else if (isMoved && mayWait && this.#sharpenAt === 0) {
        this.#sharpenAt = now + Math.max(SHARPEN_MS, this.#lastMs * IDLE_SHARE);
        isSharp = false;
      } else {
        this.#paintAll(base);
      }
      if (!isSharp) this.wake();
    } else if (this.#changed.size > 0) {
      this.#painter.paint(base, this.#camera, this.#size, this.#ratio, this.#scene(), [
        ...this.#changed,
      ]);
      this.#changed.clear();
    }
    this.#copy(front);
    this.overlay.draw(top, this.#camera, this.#size, this.#ratio, now);
  }

  #paintAll(base: CanvasRenderingContext2D): void {
    const start = performance.now();
    const isFirst = this.#painted === null;
    this.#painter.paint(base, this.#camera, this.#size, this.#ratio, this.#scene());
    this.#lastMs = performance.now() - start;
    this.#painted = this.#camera;
    this.#isStale = false;
    this.#sharpenAt = 0;
    this.#changed.clear();
    if (isFirst && performance.getEntriesByName(PLAN_MARK).length > 0) {
      performance.measure(PAINT_MEASURE, PLAN_MARK);
    }
  }

  /** Copies the last drawing, moved to the current camera. */
  #copy(front: CanvasRenderingContext2D): void {
    const painted = this.#painted;
    if (painted === null) return;
    const share = this.#camera.scale / painted.scale;
    front.setTransform(1, 0, 0, 1, 0, 0);
    front.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
    front.setTransform(
      share,
      0,
      0,
      share,
      (this.#camera.x - painted.x * share) * this.#ratio,
      (this.#camera.y - painted.y * share) * this.#ratio,
    );
    front.drawImage(this.#base, 0, 0);
  }

  #scene(): PaintState {
    return { kinds: this.#seatStates.kinds, filter: this.#filter, left: this.#left };
  }
}

function same(one: Camera, other: Camera): boolean {
  return one.scale === other.scale && one.x === other.x && one.y === other.y;
}
