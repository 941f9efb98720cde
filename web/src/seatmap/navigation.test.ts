// The spatial index, arrow keys, and the best seats.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bestSeats } from "./bestSeats";
import { Grid } from "./grid";
import { firstUnit, neighbour, rowEnd, type Direction } from "./neighbours";
import { isWithin, type Room } from "./room";
import { at, roomOf, small } from "./samples";

const gridOf = (room: Room) => new Grid(room.x, room.y);
const named = (room: Room, units: readonly number[]) => units.map((unit) => room.units[unit] ?? "");

describe("the grid", () => {
  // Quarters are exact in floating point, so that both sides agree on ties.
  const coordinate = fc.integer({ min: -1200, max: 1200 }).map((one) => one / 4);

  it("finds the same as looking at every seat", () => {
    const places = fc.array(fc.tuple(coordinate, coordinate), { maxLength: 60 });
    fc.assert(
      fc.property(
        places,
        coordinate,
        coordinate,
        fc.integer({ min: 0, max: 200 }),
        (all, x, y, reach) => {
          const grid = new Grid(
            Float64Array.from(all, ([one]) => one),
            Float64Array.from(all, ([, other]) => other),
          );
          const far = all.map(([one, other]) => (one - x) ** 2 + (other - y) ** 2);
          const near = far.flatMap((one, unit) => (one < reach * reach ? [unit] : []));
          const least = Math.min(...near.map((unit) => far[unit] ?? 0));
          const expected = near.find((unit) => far[unit] === least) ?? -1;
          expect(grid.nearest(x, y, reach)).toBe(expected);
          const found: number[] = [];
          grid.within(
            { left: x - reach, right: x + reach, top: y - reach, bottom: y + reach },
            (unit) => found.push(unit),
          );
          const inside = all.flatMap(([one, other], unit) =>
            one >= x - reach && one <= x + reach && other >= y - reach && other <= y + reach
              ? [unit]
              : [],
          );
          expect(found.sort((a, b) => a - b)).toEqual(inside);
        },
      ),
    );
  });

  it("bears seats that are miles apart", () => {
    const grid = new Grid(Float64Array.of(-1e6, 1e6, 0), Float64Array.of(-1e6, 1e6, 0));
    expect(grid.nearest(999_999, 999_999, 5)).toBe(1);
    expect(new Grid(new Float64Array(0), new Float64Array(0)).nearest(0, 0, 10)).toBe(-1);
  });
});

describe("arrow keys", () => {
  const room = small();
  const grid = gridOf(room);
  const go = (from: string, direction: Direction) =>
    room.units[neighbour(room, grid, at(room, from), direction)];

  it("go to what is seen on that side, across aisles and gaps too", () => {
    expect(go("B1", "right")).toBe("B2");
    expect(go("B3", "right")).toBe("B4");
    expect(go("C3", "right")).toBe("C5");
    expect(go("B4", "left")).toBe("B3");
    expect(go("A1", "left")).toBe("A1");
    expect(["A2", "A3"]).toContain(go("B3", "up"));
    expect(go("A3", "up")).toBe("A3");
  });

  it("go by geometry where a row counts backwards or is turned", () => {
    const turned = roomOf({
      sections: [{ name: "S", x: 0, y: 0, rotation: 90, rows: [{ name: "A", seats: 3 }] }],
    });
    const places = gridOf(turned);
    expect(turned.units[neighbour(turned, places, at(turned, "A1"), "down")]).toBe("A2");
    const backwards = roomOf({
      sections: [{ name: "S", rows: [{ name: "A", seats: 3, first: 3, step: -1 }] }],
    });
    expect(
      backwards.units[neighbour(backwards, gridOf(backwards), at(backwards, "A3"), "right")],
    ).toBe("A2");
    expect(backwards.units[rowEnd(backwards, at(backwards, "A2"), "left")]).toBe("A3");
  });

  it("reach every seat of a room", () => {
    const seen = new Set([0]);
    const next = [0];
    for (let unit = next.pop(); unit !== undefined; unit = next.pop()) {
      for (const direction of ["left", "right", "up", "down"] as const) {
        const to = neighbour(room, grid, unit, direction);
        if (!seen.has(to)) {
          seen.add(to);
          next.push(to);
        }
      }
    }
    expect(seen.size).toBe(room.units.length);
  });

  it("begin at a free seat near the middle", () => {
    const found = firstUnit(
      room,
      grid,
      room.x[at(room, "B3")] ?? 0,
      room.y[at(room, "B3")] ?? 0,
      (unit) => unit !== at(room, "B3"),
    );
    expect(["B2", "B4", "A3", "A4", "C2", "C3"]).toContain(room.units[found]);
  });
});

describe("the best seats", () => {
  const room = small();
  const everything = () => true;

  it("are of the best rank and together", () => {
    expect(named(room, bestSeats(room, everything, 2))).toEqual(
      expect.arrayContaining([expect.stringMatching(/^C/)]),
    );
    expect(named(room, bestSeats(room, everything, 3))).toEqual(["C1", "C2", "C3"]);
  });

  it("do not go across an aisle, a missing or a taken seat", () => {
    const usual = { category: "usual" };
    const onlyB = (unit: number) => (room.units[unit] ?? "").startsWith("B");
    expect(bestSeats(room, onlyB, 4, usual)).toEqual([]);
    expect(
      named(
        room,
        bestSeats(room, (unit) => onlyB(unit) && room.units[unit] !== "B2", 3, usual),
      ),
    ).toEqual(["B4", "B5", "B6"]);
  });

  it("go round a table", () => {
    const isFree = (unit: number) => ["T-1", "T-4"].includes(room.units[unit] ?? "");
    expect(named(room, bestSeats(room, isFree, 2))).toEqual(["T-1", "T-4"]);
  });

  it("leave places for wheelchairs to those who ask for them", () => {
    const onlyA = (unit: number) => (room.units[unit] ?? "").startsWith("A");
    expect(named(room, bestSeats(room, onlyA, 4))).toEqual(["A3", "A4", "A5", "A6"]);
    expect(named(room, bestSeats(room, onlyA, 2, { accessible: true }))).toEqual(["A1", "A2"]);
    expect(named(room, bestSeats(room, onlyA, 6))).toEqual(["A1", "A2", "A3", "A4", "A5", "A6"]);
  });

  it("are none where nothing is left, or the wish makes no sense", () => {
    expect(bestSeats(room, () => false, 1)).toEqual([]);
    for (const quantity of [0, -1, 1.5, 1e9, NaN])
      expect(bestSeats(room, everything, quantity)).toEqual([]);
    expect(bestSeats(room, everything, 1, { category: "unheard" })).toEqual([]);
  });

  it("are always free, together and so many", () => {
    fc.assert(
      fc.property(
        fc.array(fc.boolean(), { minLength: room.seats, maxLength: room.seats }),
        fc.integer({ min: 1, max: 6 }),
        (free, quantity) => {
          const found = bestSeats(room, (unit) => free[unit] ?? false, quantity);
          expect([0, quantity]).toContain(found.length);
          expect(found.every((unit) => free[unit])).toBe(true);
          expect(new Set(found.map((unit) => room.bank[unit])).size).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
});

describe("standing areas and whole tables", () => {
  it("have a place of their own where the plan gives none", () => {
    const room = small();
    const pool = room.pools[0];
    expect(pool && isWithin(pool.outline, pool.x, pool.y)).toBe(true);
    const lowest = Math.max(...room.y.subarray(0, room.seats));
    expect(room.y[at(room, "W")]).toBeGreaterThan(lowest + 1);
    expect(pool?.box.top).toBeGreaterThan(room.y[at(room, "W")] ?? 0);
  });

  it("are drawn where the plan has them", () => {
    const room = roomOf({
      pools: [
        {
          unit: "floor",
          capacity: 3,
          outline: [
            [0, 0],
            [4, 0],
            [4, 4],
            [0, 4],
          ],
        },
      ],
      sections: [
        {
          name: "S",
          x: 10,
          y: 10,
          rotation: 90,
          tables: [{ name: "W", seats: 4, whole: true, x: 2, y: 0 }],
        },
      ],
    });
    expect([room.pools[0]?.x, room.pools[0]?.y]).toEqual([2, 2]);
    expect(room.x[0]).toBeCloseTo(10);
    expect(room.y[0]).toBeCloseTo(12);
  });
});
