// Where things are on the map: Web Mercator, of which the whole world is 256 pixels wide at zoom 0. A map never
// shows more than the search takes as its box.
import type { Box } from "../box";

export type View = { lat: number; lon: number; zoom: number };
export type Size = { width: number; height: number };
export type Spot = { x: number; y: number };

export const ZOOM_MAX = 18;
const TILE = 256;
const LAT_MAX = 84;
/** A little less than the search takes: sides are rounded. */
const DEGREES_MAX = 19.9;
const ROOM = 1.15;

export function worldPixels(zoom: number): number {
  return TILE * 2 ** zoom;
}

/** A point of the world as parts of its width, from its north-west corner on. */
export function spotOf(lat: number, lon: number): Spot {
  const sine = Math.sin((lat * Math.PI) / 180);
  return { x: lon / 360 + 0.5, y: 0.5 - Math.atanh(sine) / (2 * Math.PI) };
}

function pointOf({ x, y }: Spot): { lat: number; lon: number } {
  const lat = (Math.atan(Math.sinh((0.5 - y) * 2 * Math.PI)) * 180) / Math.PI;
  return { lat, lon: around((x - 0.5) * 360) };
}

/** A longitude from -180 to 180. */
export function around(lon: number): number {
  return ((((lon + 180) % 360) + 360) % 360) - 180;
}

/** Where a point is in the window, in pixels; the nearer way around the earth. */
export function pixelOf(lat: number, lon: number, view: View, size: Size): Spot {
  const world = worldPixels(view.zoom);
  const [one, middle] = [spotOf(lat, lon), spotOf(view.lat, view.lon)];
  const across = one.x - middle.x;
  return {
    x: size.width / 2 + (across - Math.round(across)) * world,
    y: size.height / 2 + (one.y - middle.y) * world,
  };
}

/** The view after it was moved by so many pixels. */
export function moved(view: View, by: Spot, size: Size): View {
  const world = worldPixels(view.zoom);
  const middle = spotOf(view.lat, view.lon);
  const point = pointOf({ x: middle.x + by.x / world, y: middle.y + by.y / world });
  return within({ ...view, ...point }, size);
}

/** The view nearer or farther, with what is at a place of the window staying there. */
export function zoomed(view: View, by: number, at: Spot, size: Size): View {
  const zoom = bounded(view.zoom + by, size);
  const away = { x: at.x - size.width / 2, y: at.y - size.height / 2 };
  const under = moved(view, away, size);
  return moved({ ...under, zoom }, { x: -away.x, y: -away.y }, size);
}

/** The view that has a box in it. */
export function viewOf({ west, south, east, north }: Box, size: Size): View {
  const width = (((east - west) % 360) + 360) % 360;
  const [top, bottom] = [
    spotOf(Math.min(north, LAT_MAX), 0).y,
    spotOf(Math.max(south, -LAT_MAX), 0).y,
  ];
  const zoom = Math.min(
    Math.log2(size.width / TILE / (width / 360)),
    Math.log2(size.height / TILE / (bottom - top)),
  );
  const { lat } = pointOf({ x: 0, y: (top + bottom) / 2 });
  return within({ lat, lon: around(west + width / 2), zoom: bounded(zoom, size) }, size);
}

/** What the window shows. */
export function boxOf(view: View, size: Size): Box {
  const world = worldPixels(view.zoom);
  const middle = spotOf(view.lat, view.lon);
  const [across, down] = [size.width / 2 / world, size.height / 2 / world];
  const northWest = pointOf({ x: middle.x - across, y: middle.y - down });
  const southEast = pointOf({ x: middle.x + across, y: middle.y + down });
  return {
    west: northWest.lon,
    south: southEast.lat,
    east: southEast.lon,
    north: northWest.lat,
  };
}

export type Tile = {
  key: string;
  z: number;
  x: number;
  y: number;
  left: number;
  top: number;
  side: number;
};

/** The square pictures that a window shows, of the zoom that is next to its own. Over the date line they come
 * again. */
export function tilesIn(view: View, size: Size): Tile[] {
  const z = Math.max(0, Math.min(ZOOM_MAX, Math.round(view.zoom)));
  const count = 2 ** z;
  const side = worldPixels(view.zoom) / count;
  const middle = spotOf(view.lat, view.lon);
  const [west, north] = [
    middle.x * count - size.width / 2 / side,
    middle.y * count - size.height / 2 / side,
  ];
  const found: Tile[] = [];
  for (let y = Math.max(0, Math.floor(north)); y < Math.min(count, north + size.height / side); y++)
    for (let at = Math.floor(west); at < west + size.width / side; at++) {
      const x = ((at % count) + count) % count;
      const [left, top] = [(at - west) * side, (y - north) * side];
      found.push({ key: `${z}/${at}/${y}`, z, x, y, left, top, side });
    }
  return found;
}

/** The box around a circle, with some room beside it. */
export function boxAround(lat: number, lon: number, metres: number): Box {
  const half = (metres / 111_195) * ROOM;
  const wide = Math.min(9, half / Math.max(0.05, Math.cos((lat * Math.PI) / 180)));
  return {
    west: around(lon - wide),
    south: Math.max(-LAT_MAX, lat - half),
    east: around(lon + wide),
    north: Math.min(LAT_MAX, lat + half),
  };
}

function bounded(zoom: number, { width, height }: Size): number {
  // A degree of latitude is nowhere shorter on the map than one of longitude.
  const least = Math.log2((Math.max(width, height, 1) * 360) / (TILE * DEGREES_MAX));
  return Math.min(ZOOM_MAX, Math.max(least, zoom));
}

function within(view: View, size: Size): View {
  const world = worldPixels(view.zoom);
  const [top, bottom] = [spotOf(LAT_MAX, 0).y, spotOf(-LAT_MAX, 0).y];
  const half = size.height / 2 / world;
  const y = Math.min(bottom - half, Math.max(top + half, spotOf(view.lat, 0).y));
  return { ...view, lat: pointOf({ x: 0, y }).lat };
}
