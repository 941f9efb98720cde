// Transient drawing above the seats: hover and focus rings, flashes of changed seats, pulses of
// lost ones, the selection box.
import { onScreen, type Camera, type Size } from "./camera";
import type { ScreenPoint } from "./gestures";
import type { Look } from "./look";
import type { Point } from "./plan";
import type { Room } from "./room";

const GLOW_MS = 620;
const PULSE_MS = 1600;
const GLOWS_MAX = 400;

export class MapOverlay {
  look: Look;
  isReducedMotion = false;
  readonly #room: Room;
  readonly #wake: () => void;
  readonly #glows = new Map<number, { start: number; isLost: boolean }>();
  #hover = -1;
  #focus = -1;
  #box: { from: ScreenPoint; to: ScreenPoint } | null = null;

  constructor(room: Room, look: Look, wake: () => void) {
    this.#room = room;
    this.look = look;
    this.#wake = wake;
  }

  hover(unit: number): void {
    if (unit !== this.#hover) this.#wake();
    this.#hover = unit;
  }

  focus(unit: number): void {
    this.#focus = unit;
    this.#wake();
  }

  box(from: ScreenPoint | null, to: ScreenPoint | null): void {
    this.#box = from === null || to === null ? null : { from, to };
    this.#wake();
  }

  /** Flashes seats that others changed; lost ones pulse. */
  glow(units: readonly number[], isLost = false): void {
    if (this.isReducedMotion && !isLost) return;
    const start = performance.now();
    for (const unit of units.slice(0, GLOWS_MAX)) {
      if (isLost || this.#glows.size < GLOWS_MAX) this.#glows.set(unit, { start, isLost });
    }
    this.#wake();
  }

  draw(
    context: CanvasRenderingContext2D,
    camera: Camera,
    size: Size,
    ratio: number,
    now: number,
  ): void {
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, size.width, size.height);
    for (const [unit, { start, isLost }] of this.#glows) {
      const share = (now - start) / (isLost ? PULSE_MS : GLOW_MS);
      if (share >= 1) this.#glows.delete(unit);
      else this.#glow(context, camera, unit, Math.max(0, share), isLost);
    }
    if (this.#glows.size > 0) this.#wake();
    if (this.#hover >= 0) this.#ring(context, camera, this.#hover, this.look.ink, 1.75);
    if (this.#focus >= 0) {
      this.#ring(context, camera, this.#focus, this.look.paper, 5.5);
      this.#ring(context, camera, this.#focus, this.look.accent, 3);
    }
    if (this.#box !== null) this.#drawBox(context, this.#box);
  }

  #radius(unit: number): number {
    if (unit < this.#room.seats) return 0.5;
    return (this.#room.tables.find((table) => table.unit === unit)?.radius ?? 1) + 0.25;
  }

  #ring(
    context: CanvasRenderingContext2D,
    camera: Camera,
    unit: number,
    colour: string,
    width: number,
  ): void {
    const radius = Math.max(5, this.#radius(unit) * camera.scale + 2);
    context.beginPath();
    context.arc(...this.#place(camera, unit), radius, 0, Math.PI * 2);
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.stroke();
  }

  #glow(
    context: CanvasRenderingContext2D,
    camera: Camera,
    unit: number,
    share: number,
    isLost: boolean,
  ): void {
    const [x, y] = this.#place(camera, unit);
    const least = Math.max(3, this.#radius(unit) * camera.scale);
    const wave = isLost && !this.isReducedMotion ? (share * 2) % 1 : share;
    context.globalAlpha = (isLost ? 0.9 : 0.55) * (1 - (isLost && this.isReducedMotion ? 0 : wave));
    context.beginPath();
    const grown = this.isReducedMotion ? 1.25 : 1 + wave * (isLost ? 1.6 : 0.45);
    context.arc(x, y, least * grown, 0, Math.PI * 2);
    if (isLost) {
      context.strokeStyle = this.look.accent;
      context.lineWidth = 2.5;
      context.stroke();
    } else {
      context.fillStyle = this.look.accent;
      context.fill();
    }
    context.globalAlpha = 1;
  }

  #place(camera: Camera, unit: number): Point {
    return onScreen(camera, [this.#room.x[unit] ?? 0, this.#room.y[unit] ?? 0]);
  }

  #drawBox(
    context: CanvasRenderingContext2D,
    { from, to }: { from: ScreenPoint; to: ScreenPoint },
  ): void {
    context.fillStyle = this.look.accent;
    context.globalAlpha = 0.12;
    context.fillRect(from.x, from.y, to.x - from.x, to.y - from.y);
    context.globalAlpha = 1;
    context.strokeStyle = this.look.accent;
    context.lineWidth = 1.5;
    context.strokeRect(from.x, from.y, to.x - from.x, to.y - from.y);
  }
}
