// Pictures of seats, drawn once for each size and kind and then stamped. Each state has its own
// shape, so that colour is never the only sign.
import type { CategoryLook, Look } from "./look";
import { ACCESSIBLE, COMPANION, ORDINARY } from "./seats";

export const FREE = 0;
export const HELD = 1;
export const BOOKED = 2;
export const BLOCKED = 3;
export const SELECTED = 4;
export const MINE = 5;

const GLYPH_PIXELS_MIN = 9;
const KINDS = 6;
const ACCESSES = 3;

// Signs about the origin, which reach about 1 to each side.
const CHECK = "M-1 .05-.25.75 1-.7";
const CROSS = "M-1-1 1 1M1-1-1 1";
const BAR = "M-1 0H1";
const WHEELCHAIR = "M-.15-.5-.08.15H.5l.25.7M-.12-.2H.4M.433.557A.55.55 0 1 1-.35-.07";
const WHEELCHAIR_HEAD = "M-.35-.88a.2.2 0 1 0 .4 0 .2.2 0 1 0-.4 0";
const PERSON =
  "M-.38-.5a.38.38 0 1 0 .76 0 .38.38 0 1 0-.76 0M-.62.52a.5.5 0 0 1 .5-.5H.12a.5.5 0 0 1 .5.5V.6a.22.22 0 0 1-.22.22H-.4A.22.22 0 0 1-.62.6z";

export type Sprite = { readonly image: HTMLCanvasElement; readonly half: number };

/** The sprites of one size; another size clears them. */
export class Sprites {
  readonly #look: Look;
  readonly #made = new Map<number, Sprite>();
  #pixels = 0;

  constructor(look: Look) {
    this.#look = look;
  }

  /** The picture of a seat, for this many device pixels between seats. */
  get(pixels: number, category: number, kind: number, access: number): Sprite {
    if (pixels !== this.#pixels) {
      this.#made.clear();
      this.#pixels = pixels;
    }
    const key = (category * KINDS + kind) * ACCESSES + access;
    let sprite = this.#made.get(key);
    if (sprite === undefined) {
      sprite = this.#draw(pixels, this.#look.categories[category], kind, access);
      this.#made.set(key, sprite);
    }
    return sprite;
  }

  #draw(pixels: number, category: CategoryLook | undefined, kind: number, access: number): Sprite {
    const half = Math.ceil(pixels * 0.62) + 2;
    const image = document.createElement("canvas");
    image.width = half * 2;
    image.height = half * 2;
    const context = image.getContext("2d");
    if (context !== null && category !== undefined) {
      context.translate(half, half);
      drawSeat(context, pixels, category, this.#look, kind, access);
    }
    return { image, half };
  }
}

/** Draws a seat at the origin, for this many pixels between seats. */
export function drawSeat(
  context: CanvasRenderingContext2D,
  pixels: number,
  category: CategoryLook,
  look: Look,
  kind: number,
  access: number,
): void {
  const line = Math.max(1, pixels * 0.045);
  context.lineWidth = line;
  context.lineCap = "round";
  context.lineJoin = "round";
  const shape = (grown: number) => {
    context.beginPath();
    // Taken seats are round and small, so that their outline differs too.
    if (kind === BOOKED || kind === BLOCKED)
      context.arc(0, 0, pixels * 0.31 * grown, 0, Math.PI * 2);
    else if (access === ACCESSIBLE) context.arc(0, 0, pixels * 0.43 * grown, 0, Math.PI * 2);
    else if (access === COMPANION) context.roundRect(...square(pixels * 0.4 * grown), pixels * 0.2);
    else seatShape(context, pixels * 0.4 * grown);
  };
  shape(1);
  if (kind === FREE) {
    context.fillStyle = category.fill;
    context.fill();
    context.strokeStyle = category.edge;
    context.stroke();
    if (pixels >= 16) backrest(context, pixels, category.edge, access);
  } else if (kind === HELD) {
    drawHeld(context, pixels, category, look, shape);
  } else if (kind === BOOKED) {
    context.fillStyle = look.taken;
    context.fill();
    if (pixels >= GLYPH_PIXELS_MIN)
      sign(context, CROSS, pixels * 0.125, look.takenInk, line * 1.15);
  } else if (kind === BLOCKED) {
    context.strokeStyle = look.takenInk;
    context.stroke();
    if (pixels >= GLYPH_PIXELS_MIN) sign(context, BAR, pixels * 0.15, look.takenInk, line * 1.3);
  } else {
    drawOwn(context, pixels, look, kind, shape);
    return;
  }
  if (pixels < GLYPH_PIXELS_MIN || kind === BOOKED || kind === BLOCKED) return;
  const ink = kind === FREE ? category.ink : look.muted;
  if (access === ACCESSIBLE) {
    const size = pixels * 0.27;
    sign(context, WHEELCHAIR, size, ink, size * 0.24);
    sign(context, WHEELCHAIR_HEAD, size, ink);
  } else if (access === COMPANION) sign(context, PERSON, pixels * 0.24, ink);
}

function square(reach: number): [number, number, number, number] {
  return [-reach, -reach, reach * 2, reach * 2];
}

function drawHeld(
  context: CanvasRenderingContext2D,
  pixels: number,
  category: CategoryLook,
  look: Look,
  shape: (grown: number) => void,
): void {
  context.fillStyle = look.paper;
  context.fill();
  context.save();
  context.clip();
  context.strokeStyle = category.edge;
  context.globalAlpha = 0.55;
  context.lineWidth = Math.max(1, pixels * 0.075);
  const step = Math.max(3, pixels * 0.2);
  context.beginPath();
  for (let at = -pixels; at <= pixels; at += step) {
    context.moveTo(at - pixels / 2, pixels / 2);
    context.lineTo(at + pixels / 2, -pixels / 2);
  }
  context.stroke();
  context.restore();
  shape(1);
  context.strokeStyle = category.edge;
  context.stroke();
}

function drawOwn(
  context: CanvasRenderingContext2D,
  pixels: number,
  look: Look,
  kind: number,
  shape: (grown: number) => void,
): void {
  shape(1.07);
  context.fillStyle = kind === SELECTED ? look.accent : look.accentSoft;
  context.fill();
  context.strokeStyle = look.accent;
  context.lineWidth = Math.max(1.2, pixels * 0.075);
  context.stroke();
  if (pixels < GLYPH_PIXELS_MIN) return;
  const ink = kind === SELECTED ? look.accentInk : look.accent;
  sign(context, CHECK, pixels * 0.2, ink, Math.max(1.2, pixels * 0.09));
}

/** A seat from above: its front is straight, its back is round. */
function seatShape(context: CanvasRenderingContext2D, reach: number): void {
  const front = reach * 0.34;
  const back = reach * 0.8;
  context.roundRect(-reach, -reach, reach * 2, reach * 2, [front, front, back, back]);
}

function backrest(
  context: CanvasRenderingContext2D,
  pixels: number,
  colour: string,
  access: number,
): void {
  if (access !== ORDINARY) return;
  context.save();
  context.beginPath();
  context.arc(0, -pixels * 0.06, pixels * 0.36, Math.PI * 0.22, Math.PI * 0.78);
  context.strokeStyle = colour;
  context.globalAlpha = 0.75;
  context.lineWidth = pixels * 0.06;
  context.stroke();
  context.restore();
}

/** A sign of this size; without a width it is filled. */
function sign(
  context: CanvasRenderingContext2D,
  path: string,
  size: number,
  colour: string,
  width?: number,
): void {
  context.save();
  context.scale(size, size);
  context.fillStyle = context.strokeStyle = colour;
  context.lineWidth = (width ?? 0) / size;
  const drawn = new Path2D(path);
  // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- a canvas, not an array
  if (width === undefined) context.fill(drawn);
  else context.stroke(drawn);
  context.restore();
}
