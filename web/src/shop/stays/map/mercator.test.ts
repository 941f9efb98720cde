import { expect, test } from "vitest";
import { boxFrom, boxText } from "../box";
import {
  around,
  boxAround,
  boxOf,
  moved,
  pixelOf,
  tilesIn,
  viewOf,
  zoomed,
  ZOOM_MAX,
} from "./mercator";

const SIZE = { width: 400, height: 600 };
const HAMBURG = { lat: 53.55, lon: 9.97, zoom: 11 };

test("what the window shows is a box that shows the same again", () => {
  const box = boxOf(HAMBURG, SIZE);
  expect(box.west).toBeLessThan(HAMBURG.lon);
  expect(box.north).toBeGreaterThan(HAMBURG.lat);
  const again = viewOf(box, SIZE);
  expect(again.lat).toBeCloseTo(HAMBURG.lat, 6);
  expect(again.lon).toBeCloseTo(HAMBURG.lon, 6);
  expect(again.zoom).toBeCloseTo(HAMBURG.zoom, 6);
});

test("a point is where it is, the nearer way over the date line", () => {
  expect(pixelOf(HAMBURG.lat, HAMBURG.lon, HAMBURG, SIZE)).toEqual({ x: 200, y: 300 });
  const fiji = { lat: -17, lon: 179.9, zoom: 9 };
  const beyond = pixelOf(-17, -179.9, fiji, SIZE);
  expect(beyond.x).toBeGreaterThan(200);
  expect(beyond.x).toBeLessThan(400);
  const box = boxOf(fiji, SIZE);
  expect(box.west).toBeGreaterThan(box.east);
  expect(viewOf(box, SIZE).lon).toBeCloseTo(179.9, 6);
});

test("what is under the pointer stays there while one zooms", () => {
  const corner = { x: 30, y: 500 };
  const near = zoomed(HAMBURG, 2, corner, SIZE);
  const [under] = [zoomed(near, -2, corner, SIZE)];
  expect(near.zoom).toBe(13);
  expect(under.lat).toBeCloseTo(HAMBURG.lat, 6);
  expect(under.lon).toBeCloseTo(HAMBURG.lon, 6);
  expect(zoomed(HAMBURG, 99, corner, SIZE).zoom).toBe(ZOOM_MAX);
});

test("the map never shows more than the search takes, wherever it is moved", () => {
  for (const lat of [-84, -60, 0, 53.55, 84]) {
    const far = zoomed({ lat, lon: 179, zoom: 8 }, -99, { x: 0, y: 0 }, SIZE);
    const there = moved(far, { x: 5000, y: lat * 100 }, SIZE);
    for (const view of [far, there]) expect(boxFrom(boxText(boxOf(view, SIZE)))).not.toBeNull();
  }
});

test("the map of a circle has all of it", () => {
  const box = boxAround(53.55, 9.97, 10_000);
  expect(box.north - 53.55).toBeGreaterThan(10_000 / 111_195);
  expect(box.east - box.west).toBeGreaterThan((box.north - box.south) * 1.5);
  expect(boxFrom(boxText(boxAround(83, -180, 100_000)))).not.toBeNull();
  expect([around(190), around(-190), around(540)]).toEqual([-170, 170, -180]);
});

test("tiles fill the window, and each lies where its place is", () => {
  for (const view of [HAMBURG, { ...HAMBURG, zoom: 11.4 }, { lat: -17, lon: 179.9, zoom: 6.6 }]) {
    const tiles = tilesIn(view, SIZE);
    expect(new Set(tiles.map(({ key }) => key)).size).toBe(tiles.length);
    const spots = [0, 133, 399].flatMap((x) => [0, 299, 599].map((y) => ({ x, y })));
    for (const { x, y } of spots) {
      const over = tiles.filter(
        ({ left, top, side }) => left <= x && x < left + side && top <= y && y < top + side,
      );
      expect(over).toHaveLength(1);
    }
    for (const { z, x, y } of tiles)
      for (const at of [x, y])
        expect(at >= 0 && at < 2 ** z && z === Math.round(view.zoom)).toBe(true);
  }
  // Of the tile servers' own example: Hamburg's town hall.
  const at = tilesIn({ lat: 53.5503, lon: 9.9928, zoom: 12 }, { width: 1, height: 1 });
  expect(at.map(({ x, y, z }) => [z, x, y])).toEqual([[12, 2161, 1323]]);
});

test("a box of an address is one that the search takes, or none", () => {
  expect(boxFrom("9.7,53.4,10.3,53.7")).toEqual({
    west: 9.7,
    south: 53.4,
    east: 10.3,
    north: 53.7,
  });
  expect(boxFrom("170,-10,-175,10")).not.toBeNull();
  for (const text of ["", "1,2,3", "1,2,3,x", "1,4,3,2", "1,2,1,4", "0,0,21,1", "0,0,1,21"]) {
    expect(boxFrom(text)).toBeNull();
  }
  for (const text of ["181,0,182,1", "0,89,1,91", "1,2,3,4,5", "1e3,2,3,4"]) {
    expect(boxFrom(text)).toBeNull();
  }
});
