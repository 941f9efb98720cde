// The minimap: the whole room, with a frame around the visible part. Shown only while a part of a
// large room is visible.
import { fitting, inRoom, onScreen, type Size } from "./camera";
import { make } from "./dom";
import type { SeatInfo } from "./seatInfo";
import { Painter } from "./painter";
import type { RoomView } from "./view";

const SEATS_MIN = 250;
const REDRAW_MS = 400;
const LONG_SIDE = 148;

export class MiniMap {
  readonly element = make("canvas", { class: "mini", "aria-hidden": "true", hidden: true });
  readonly #info: SeatInfo;
  readonly #view: RoomView;
  readonly #ground = document.createElement("canvas");
  readonly #size: Size;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStale = true;

  constructor(info: SeatInfo, view: RoomView) {
    this.#info = info;
    this.#view = view;
    const { box } = info.room;
    const [width, height] = [box.right - box.left, box.bottom - box.top];
    const share = LONG_SIDE / Math.max(width, height);
    this.#size = {
      width: Math.max(64, Math.round(width * share)),
      height: Math.max(48, Math.round(height * share)),
    };
    const ratio = Math.min(2, globalThis.devicePixelRatio || 1);
    for (const canvas of [this.element, this.#ground]) {
      canvas.width = this.#size.width * ratio;
      canvas.height = this.#size.height * ratio;
    }
    this.element.style.width = `${this.#size.width}px`;
    this.element.style.height = `${this.#size.height}px`;
    this.element.addEventListener("pointerdown", (event) => this.#go(event));
    this.element.addEventListener("pointermove", (event) => {
      if (event.buttons === 1) this.#go(event);
    });
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Marks the minimap as stale; it is drawn again after a delay. */
  refresh(): void {
    this.#isStale = true;
    if (this.element.hidden) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#draw();
    }, REDRAW_MS);
  }

  moved(isFit: boolean): void {
    const { size, camera, fitScale } = this.#view;
    const isUseful = this.#info.room.units.length >= SEATS_MIN && size.width > 420;
    this.element.hidden = isFit || !isUseful || camera.scale < fitScale * 1.25;
    if (!this.element.hidden) this.#draw();
  }

  #draw(): void {
    const context = this.element.getContext("2d");
    const ground = this.#ground.getContext("2d");
    if (context === null || ground === null || this.element.hidden) return;
    const ratio = this.element.width / this.#size.width;
    const camera = fitting(this.#info.room.box, this.#size);
    if (this.#isStale) {
      this.#isStale = false;
      const painter = new Painter(this.#info.room, this.#view.look, this.#view.grid);
      const scene = { kinds: this.#info.states.kinds, filter: -1, left: () => "", isPlain: true };
      painter.paint(ground, camera, this.#size, ratio, scene);
    }
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.element.width, this.element.height);
    context.drawImage(this.#ground, 0, 0);
    const { camera: main, size } = this.#view;
    const [left, top] = onScreen(camera, inRoom(main, [0, 0]));
    const share = camera.scale / main.scale;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.strokeStyle = this.#view.look.accent;
    context.lineWidth = 2;
    context.strokeRect(left, top, size.width * share, size.height * share);
  }

  #go(event: PointerEvent): void {
    const { left, top } = this.element.getBoundingClientRect();
    const camera = fitting(this.#info.room.box, this.#size);
    const [x, y] = inRoom(camera, [event.clientX - left, event.clientY - top]);
    const { x: nowX, y: nowY } = this.#view.toScreen(x, y);
    this.#view.drag(this.#view.size.width / 2 - nowX, this.#view.size.height / 2 - nowY);
  }
}
