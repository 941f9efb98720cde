// The outline of land and countries, painted on a canvas: it says roughly where one is, and comes with the shop, so
// that nobody else is asked. It is from Natural Earth at 1:50,000,000, in the public domain.
import { isRecord } from "~/api/record";
import { spotOf, worldPixels, type Size, type View } from "./mercator";
import world from "./world.json?url";

type Line = { path: Path2D; west: number; east: number; north: number; south: number };
export type Outline = { land: readonly Line[]; borders: readonly Line[] };
export type Colours = { land: string; line: string };

const UNIT = 0.01;
const LAT_MAX = 85;
/** From here on it would say more than it knows: a coast is a kilometre off. */
const ZOOM_MAX = 12.5;

/** Throws where it does not come. */
export async function readOutline(): Promise<Outline> {
  const answer = await fetch(world);
  if (!answer.ok) throw new Error("the outline did not come");
  const told: unknown = await answer.json();
  const lines = (name: string, isClosed: boolean) => {
    const all: unknown = isRecord(told) ? told[name] : [];
    return Array.isArray(all) ? all.map((steps: unknown) => lineOf(steps, isClosed)) : [];
  };
  return { land: lines("land", true), borders: lines("borders", false) };
}

/** The first point, then from each to the next. */
function lineOf(steps: unknown, isClosed: boolean): Line {
  const numbers = Array.isArray(steps) ? steps.map(Number) : [];
  const line = { path: new Path2D(), west: 1, east: 0, north: 1, south: 0 };
  let [lon, lat] = [0, 0];
  for (let at = 0; at + 1 < numbers.length; at += 2) {
    lon += numbers[at] ?? 0;
    lat += numbers[at + 1] ?? 0;
    const { x, y } = spotOf(Math.max(-LAT_MAX, Math.min(LAT_MAX, lat * UNIT)), lon * UNIT);
    if (at === 0) line.path.moveTo(x, y);
    else line.path.lineTo(x, y);
    line.west = Math.min(line.west, x);
    line.east = Math.max(line.east, x);
    line.north = Math.min(line.north, y);
    line.south = Math.max(line.south, y);
  }
  if (isClosed) line.path.closePath();
  return line;
}

export function paint(
  canvas: HTMLCanvasElement,
  outline: Outline | null,
  view: View,
  size: Size,
  colours: Colours,
): void {
  const ratio = globalThis.devicePixelRatio || 1;
  canvas.width = Math.round(size.width * ratio);
  canvas.height = Math.round(size.height * ratio);
  const brush = canvas.getContext("2d");
  if (brush === null) return;
  if (view.zoom > ZOOM_MAX) {
    brush.fillStyle = colours.land;
    brush.fillRect(0, 0, canvas.width, canvas.height);
    return;
  }
  if (outline === null) return;
  const scale = worldPixels(view.zoom) * ratio;
  const middle = spotOf(view.lat, view.lon);
  brush.fillStyle = colours.land;
  brush.strokeStyle = colours.line;
  brush.lineWidth = ratio / scale;
  // Over the date line the world comes again.
  for (const turn of [-1, 0, 1]) {
    const left = canvas.width / 2 + (turn - middle.x) * scale;
    const top = canvas.height / 2 - middle.y * scale;
    brush.setTransform(scale, 0, 0, scale, left, top);
    const [west, east] = [-left / scale, (canvas.width - left) / scale];
    const [north, south] = [-top / scale, (canvas.height - top) / scale];
    const isSeen = (one: Line) =>
      one.east >= west && one.west <= east && one.south >= north && one.north <= south;
    const all = new Path2D();
    for (const one of outline.land) if (isSeen(one)) all.addPath(one.path);
    // Lakes are rings in rings.
    // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- it is no array
    brush.fill(all, "evenodd");
    brush.stroke(all);
    for (const one of outline.borders) if (isSeen(one)) brush.stroke(one.path);
  }
}
