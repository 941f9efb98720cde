// The camera: pixels per seat, and where the room's origin is on the screen. Pure functions.
import { middle, type Box } from "./box";
import type { Point } from "./plan";

export type Camera = { readonly scale: number; readonly x: number; readonly y: number };
export type Size = { readonly width: number; readonly height: number };

/** The largest size of a seat, in pixels. */
export const SEAT_PIXELS_MAX = 52;
const SEAT_PIXELS_FIT = 40;
const MARGIN_SEATS = 1.4;
const MARGIN_PIXELS = 14;

export function fitting(box: Box, size: Size, most = SEAT_PIXELS_FIT): Camera {
  const width = box.right - box.left + MARGIN_SEATS * 2;
  const height = box.bottom - box.top + MARGIN_SEATS;
  const scale = Math.min(
    most,
    Math.max(
      1e-6,
      Math.min(
        (size.width - MARGIN_PIXELS * 2) / width,
        (size.height - MARGIN_PIXELS * 2) / height,
      ),
    ),
  );
  return centred(...middle(box), scale, size);
}

/** A place of the room as one of the screen. */
export const onScreen = ({ scale, x, y }: Camera, [roomX, roomY]: Point): Point => [
  roomX * scale + x,
  roomY * scale + y,
];

/** A place of the screen as one of the room. */
export const inRoom = ({ scale, x, y }: Camera, [screenX, screenY]: Point): Point => [
  (screenX - x) / scale,
  (screenY - y) / scale,
];

export function centred(x: number, y: number, scale: number, size: Size): Camera {
  return { scale, x: size.width / 2 - x * scale, y: size.height / 2 - y * scale };
}

export function zoomed(
  camera: Camera,
  factor: number,
  at: { x: number; y: number },
  limits: { least: number; most: number },
): Camera {
  const scale = Math.min(limits.most, Math.max(limits.least, camera.scale * factor));
  const share = scale / camera.scale;
  return { scale, x: at.x - (at.x - camera.x) * share, y: at.y - (at.y - camera.y) * share };
}

/** The camera moved so that the room stays on the screen: a smaller room is centred, a larger one
 * has only a small margin at its edge. */
export function clamped(camera: Camera, box: Box, size: Size): Camera {
  const margin = Math.max(MARGIN_PIXELS * 2, Math.min(size.width, size.height) * 0.12);
  const along = (offset: number, low: number, high: number, room: number): number => {
    const from = low * camera.scale;
    const to = high * camera.scale;
    if (to - from + margin * 2 <= room) return room / 2 - (from + to) / 2;
    return Math.min(margin - from, Math.max(room - margin - to, offset));
  };
  return {
    scale: camera.scale,
    x: along(camera.x, box.left, box.right, size.width),
    y: along(camera.y, box.top, box.bottom, size.height),
  };
}

/** The visible part of the room, with this many pixels around it. */
export function visibleBox(camera: Camera, size: Size, around = 0): Box {
  const [left, top] = inRoom(camera, [-around, -around]);
  const [right, bottom] = inRoom(camera, [size.width + around, size.height + around]);
  return { left, top, right, bottom };
}

/** Interpolates two cameras; the scale grows by the same factor at each step, so that zooming looks
 * even. */
export function between(from: Camera, to: Camera, share: number, size: Size): Camera {
  const scale = from.scale * (to.scale / from.scale) ** share;
  const half: Point = [size.width / 2, size.height / 2];
  const [[fromX, fromY], [toX, toY]] = [inRoom(from, half), inRoom(to, half)];
  // The centre moves with the visible size, not linearly in time.
  const grown =
    Math.abs(to.scale - from.scale) < from.scale * 1e-3
      ? share
      : (1 / from.scale - 1 / scale) / (1 / from.scale - 1 / to.scale);
  return centred(fromX + (toX - fromX) * grown, fromY + (toY - fromY) * grown, scale, size);
}
