// Commands: whatever is done to a valid room, it stays one; undo brings back what was; nothing jumps.
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { layOut } from "~/seatmap/layout";
import type { Point, Row, SeatsPlan } from "~/seatmap/plan";
import { seatRows } from "~/seatmap/seats";
import { acts, doAct } from "../testing/acts";
import { faultsOf } from "../format/strict";
import { anyPlan } from "../testing/plans";
import { hitOf, rectangle } from "./bounds";
import { changeCategory, countByCategory, removeCategory } from "./categories";
import { edited, withSection } from "./edit";
import { along, curveFor, framesOf, offsetsOf } from "./frames";
import { begin, canRedo, canUndo, commit, redo, undo, type History } from "./history";
import { isThere, itemOf, rowKey, sectionKey, STAGE } from "./items";
import { move, pinAll, turn, turnOf } from "./moves";
import { crosses, problemsOf } from "./problems";
import { missingOf, nextName, reverse, rowName, setSeats } from "./rows";
import { placeOfUnit, sceneOf, toRoom } from "./scene";
import { listSeats, readNumbers } from "./sections";

// Hundreds of rooms take a while on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const errorsOf = (plan: SeatsPlan) =>
  problemsOf(plan).filter((problem) => problem.isError && problem.code !== "no_units");

/** Where every seat stands, by its place in the document and not its name. */
const placesOf = (plan: SeatsPlan) =>
  [...layOut(plan).places].map((value) => Math.round(value * 200) / 200);

function near(one: readonly number[], other: readonly number[]): void {
  expect(other.length).toBe(one.length);
  one.forEach((value, at) => expect(Math.abs(value - (other[at] ?? Infinity))).toBeLessThan(0.02));
}

describe("every command", () => {
  it("leaves a valid room valid", () => {
    fc.assert(
      fc.property(anyPlan, acts, (plan, list) => {
        list.reduce((made, one) => {
          const next = doAct(made, one);
          expect(faultsOf(next), one[0]).toEqual([]);
          expect(errorsOf(next), one[0]).toEqual([]);
          return next;
        }, plan);
      }),
      { numRuns: 200 },
    );
  });

  it("touches no document that is there already", () => {
    fc.assert(
      fc.property(anyPlan, acts, (plan, list) => {
        const before = JSON.stringify(plan);
        list.reduce(doAct, plan);
        expect(JSON.stringify(plan)).toBe(before);
      }),
    );
  });
});

describe("history", () => {
  it("goes back to the beginning and forward to the end", () => {
    fc.assert(
      fc.property(anyPlan, acts, (plan, list) => {
        const full = list.reduce<History>((history, one) => {
          const made = doAct(history.present.plan, one);
          return commit(history, { plan: made, selection: [], label: one[0] });
        }, begin(plan));
        let back = full;
        while (canUndo(back)) {
          const one = undo(back);
          expect(redo(one).present).toBe(back.present);
          back = one;
        }
        expect(back.present.plan).toBe(plan);
        let forth = back;
        while (canRedo(forth)) forth = redo(forth);
        expect(forth.present).toBe(full.present);
      }),
    );
  });

  it("puts steps of one tag together, and a new step ends what could be done again", () => {
    const plans: SeatsPlan[] = [1, 2, 3, 4].map((capacity) => ({
      type: "seats",
      pools: [{ unit: "a", capacity }],
    }));
    const [first, second, third, fourth] = plans;
    if (!first || !second || !third || !fourth) throw new Error("four were made");
    const step = (plan: SeatsPlan) => ({ plan, selection: [], label: "capacity" });
    const typed = commit(commit(begin(first), step(second), "t"), step(third), "t");
    expect(undo(typed).present.plan).toBe(first);
    const other = commit(undo(typed), step(fourth));
    expect(canRedo(other)).toBe(false);
    expect(undo(other).present.plan).toBe(first);
  });
});

describe("what is seen", () => {
  it("does not jump when places are written down", () => {
    fc.assert(fc.property(anyPlan, (plan) => near(placesOf(plan), placesOf(pinAll(plan)))));
  });

  it("moves by as much as was asked, and nothing else with it", () => {
    fc.assert(
      fc.property(anyPlan, fc.nat(2), (plan, at) => {
        const number = at % (plan.sections?.length ?? 1);
        const { banks } = layOut(plan);
        const moved = move(plan, [sectionKey(number)], 3, -2);
        const want = placesOf(plan).map((value, place) => {
          const bank = banks.find((one) => place >= one.start * 2 && place < one.stop * 2);
          return bank?.section === number ? value + (place % 2 === 0 ? 3 : -2) : value;
        });
        near(want, placesOf(moved));
      }),
    );
  });

  it("stays where it is when a row lists its seats", () => {
    fc.assert(
      fc.property(anyPlan, fc.nat(3), (plan, row) => {
        // How far a bent row goes round depends on its length, which missing seats are part of.
        fc.pre(!plan.sections?.[0]?.curve);
        near(placesOf(plan), placesOf(listSeats(plan, 0, row)));
      }),
    );
  });

  it("has its rows where the layout has them", () => {
    fc.assert(
      fc.property(anyPlan, (plan) => {
        const { origins, bankKeys, room } = sceneOf(plan);
        (plan.sections ?? []).forEach((section, number) => {
          for (const frame of framesOf(section)) {
            const of = section.rows?.[frame.row];
            const bank = room.banks[bankKeys.indexOf(rowKey(number, frame.row))];
            const origin = origins[number];
            if (!of?.seats || !bank || !origin) continue;
            const missing = missingOf(of);
            const there = offsetsOf(of).filter((_, place) => !missing.has(place));
            there.forEach((offset, at) => {
              const [x, y] = toRoom(origin, along(frame, offset));
              expect(x).toBeCloseTo(room.x[bank.start + at] ?? Infinity, 6);
              expect(y).toBeCloseTo(room.y[bank.start + at] ?? Infinity, 6);
            });
          }
        });
      }),
    );
  });

  it("is hit where it is drawn, and told apart by its place", () => {
    const plan: SeatsPlan = {
      type: "seats",
      sections: [{ name: "A", x: 0, y: 0, rows: [{ name: "A", seats: 5, without: [2] }] }],
      pools: [{ unit: "floor", capacity: 9, outline: rectangle([10, 0], [14, 4]) }],
      stage: { y: -5 },
    };
    const scene = sceneOf(plan);
    expect(hitOf(scene, 0, 0, 0)).toMatchObject({ key: "section:0", part: "row:0:0", place: 2 });
    expect(hitOf(scene, -1, 0, 0)).toMatchObject({ part: "row:0:0", place: 1, isMissing: true });
    expect(hitOf(scene, 12, 2, 0)?.key).toBe("pool:0");
    expect(hitOf(scene, 0, -5, 0)?.key).toBe(STAGE);
    expect(hitOf(scene, 30, 30, 0)).toBeNull();
    expect([0, 1, 2, 3].map((unit) => placeOfUnit(scene, unit))).toEqual([0, 2, 3, 4]);
  });
});

describe("numbers", () => {
  const row = {
    name: "A",
    seats: 5,
    without: [2],
    aisles: [3],
    accessible: [1],
    companions: [{ seat: 3, of: 1 }],
  };

  it("stay with their seats when the row counts from the other end", () => {
    expect(reverse(row)).toEqual({
      name: "A",
      seats: 5,
      first: 5,
      step: -1,
      without: [4],
      aisles: [3],
      accessible: [5],
      companions: [{ seat: 3, of: 5 }],
    });
    expect(reverse(reverse(row))).toEqual(row);
  });

  it("forget seats that are gone", () => {
    expect(setSeats(row, 2)).toEqual({ name: "A", seats: 2, without: [2], accessible: [1] });
    expect(setSeats(reverse(row), 6)).toMatchObject({ first: 6, accessible: [6] });
  });

  it("are read as people write them", () => {
    expect(readNumbers("7, 14-16 20")).toEqual([7, 14, 15, 16, 20]);
    expect(readNumbers("")).toEqual([]);
    expect(readNumbers("5-3")).toBeNull();
    expect(readNumbers("x")).toBeNull();
  });

  it("become names, and names have one after them", () => {
    expect([0, 25, 26, 27, 701, 702].map(rowName)).toEqual(["A", "Z", "AA", "AB", "ZZ", "AAA"]);
    expect(["A", "Z", "AZ", "T9", "Balcony", "R-2", "D-"].map(nextName)).toEqual([
      "B",
      "AA",
      "BA",
      "T10",
      "Balcony-2",
      "R-3",
      "E-",
    ]);
  });
});

describe("problems", () => {
  const codes = (plan: SeatsPlan) => problemsOf(plan).map((problem) => problem.code);
  const rows = (...own: Row[]): SeatsPlan => ({
    type: "seats",
    sections: [{ name: "A", rows: own }],
  });
  const seats = (row: Omit<Row, "name">) => rows({ name: "A", ...row });
  const pool = (unit: string, outline?: Point[]): SeatsPlan => ({
    type: "seats",
    pools: [{ unit, capacity: 1, ...(outline && { outline }) }],
  });
  const crossing: Point[] = [...rectangle([0, 0], [4, 4])];
  crossing.splice(1, 2, [4, 4], [4, 0]);

  it.each([
    ["unit_twice", rows({ name: "A", seats: 2 }, { name: "A", seats: 1 })],
    ["unknown_category", { ...seats({ seats: 2 }), categories: [{ name: "gold" }] }],
    [
      "category_twice",
      { ...seats({ seats: 2 }), categories: [{ name: "standard" }, { name: "standard" }] },
    ],
    ["companion_of_nobody", seats({ seats: 2, companions: [{ seat: 2, of: 1 }] })],
    ["companion_twice", seats({ seats: 3, accessible: [1, 2], companions: [{ seat: 2, of: 1 }] })],
    ["no_such_accessible", seats({ seats: 2, without: [2], accessible: [2] })],
    ["no_such_aisle", seats({ seats: 2, aisles: [3] })],
    ["cannot_count", seats({ seats: 3, step: -1 })],
    ["counted_and_listed", seats({ seats: 2, list: [{ label: "1" }] })],
    ["some_places", seats({ list: [{ label: "1", x: 1, y: 1 }, { label: "2" }] })],
    ["no_seats", seats({})],
    ["no_units", { type: "seats" }],
    ["reserved", pool("owner:x")],
    [
      "half_place",
      { type: "seats", sections: [{ name: "A", x: 1, rows: [{ name: "A", seats: 1 }] }] },
    ],
    [
      "too_many_units",
      {
        type: "seats",
        sections: Array.from({ length: 21 }, (_, at) => ({
          name: `${at}`,
          prefix: `${at}-`,
          rows: [{ name: "A", seats: 10_000 }],
        })),
      },
    ],
    ["crossing", pool("a", crossing)],
    [
      "on_each_other",
      {
        type: "seats",
        sections: ["A", "B"].map((name) => ({ name, x: 0, y: 0, rows: [{ name, seats: 2 }] })),
      },
    ],
    [
      "faint_colour",
      { ...seats({ seats: 1 }), categories: [{ name: "standard", color: "#fefefe" }] },
    ],
  ] satisfies [string, SeatsPlan][])("%s is found", (code, plan) => {
    expect(codes(plan)).toContain(code);
  });

  it("knows an outline that crosses itself", () => {
    expect(crosses(rectangle([0, 0], [3, 2]))).toBe(false);
    expect(crosses(crossing)).toBe(true);
  });
});

describe("small things", () => {
  it("bend so far as the ends come forward", () => {
    const length = 19;
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 120 }), (degrees) => {
        const frames = framesOf({
          name: "A",
          curve: degrees,
          rows: [{ name: "A", seats: length + 1 }],
        });
        const frame = frames[0];
        if (!frame) throw new Error("there is a row");
        expect(Math.abs(curveFor(length, -along(frame, length)[1]) - degrees)).toBeLessThanOrEqual(
          1,
        );
      }),
    );
  });

  it("a category that goes leaves its seats to the first that is left", () => {
    const plan: SeatsPlan = {
      type: "seats",
      categories: [{ name: "gold" }, { name: "standard" }],
      sections: [
        {
          name: "A",
          rows: [
            { name: "A", seats: 3 },
            { name: "B", seats: 2, category: "gold" },
          ],
        },
      ],
    };
    expect([...countByCategory(removeCategory(plan, 1))]).toEqual([["gold", 5]]);
    expect([...countByCategory(changeCategory(plan, 0, { name: "silver" }))]).toEqual([
      ["silver", 2],
      ["standard", 3],
    ]);
  });

  it("a table turns in the room, however its section is turned", () => {
    const plan: SeatsPlan = {
      type: "seats",
      sections: [
        { name: "A", x: 0, y: 0, rotation: 90, tables: [{ name: "T1", seats: 4, x: 1, y: 1 }] },
      ],
    };
    expect(turnOf(turn(plan, "table:0:0", 45), "table:0:0")).toBe(405);
    expect(itemOf("nonsense")).toBeNull();
    expect(isThere(plan, "table:0:1")).toBe(false);
    expect(withSection(plan, 9, (of) => edited(of, { name: "x" }))).toBe(plan);
    expect(seatRows(plan)).toHaveLength(1);
  });
});
