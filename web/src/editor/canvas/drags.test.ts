// Drags: what is shown while the pointer is down, and the one command at its end.
import { describe, expect, it } from "vitest";
import type { Point, SeatsPlan } from "~/seatmap/plan";
import { sectionKey } from "../document/items";
import { sceneOf } from "../document/scene";
import { initialState, reduce, type EditorState } from "../state";
import { seatsIn } from "../drawing";
import { brushDrag, drawDrag, marqueeDrag, moveDrag, type Brush, type Pointer } from "./drags";
import { handlesOf } from "./handles";

const PLAN: SeatsPlan = {
  type: "seats",
  categories: [{ name: "gold" }, { name: "standard" }],
  sections: [
    {
      name: "Stalls",
      x: 0,
      y: 0,
      rows: [
        { name: "A", seats: 5 },
        { name: "B", list: [{ label: "1" }, { label: "2" }, { label: "3" }] },
      ],
    },
    { name: "Side", x: 20, y: 0, rows: [{ name: "S", seats: 2 }] },
  ],
  stage: { x: 0, y: -6 },
};
const OPTIONS = initialState(PLAN).options;
const at = (x: number, y: number, held: Partial<Pointer> = {}): Pointer => ({
  x,
  y,
  shift: false,
  alt: false,
  ...held,
});

const brush = (
  kind: Brush,
  pointers: readonly Pointer[],
  plan = PLAN,
  options = OPTIONS,
): SeatsPlan => {
  const drag = brushDrag(plan, [], kind, options, 0.1);
  for (const one of pointers) drag.move(one);
  const last = pointers.at(-1);
  if (!last) throw new Error("a drag goes somewhere");
  return drag.end(last)?.edit?.plan ?? plan;
};
const rowsOf = (plan: SeatsPlan, section = 0) => plan.sections?.[section]?.rows;

describe("moving", () => {
  it("snaps to the raster, to others with a guide, or not at all", () => {
    const keys = [sectionKey(1)];
    const drag = moveDrag(PLAN, keys, at(20, 0), 100);
    const x = (plan: SeatsPlan | undefined) => plan?.sections?.[1]?.x;
    expect(x(drag.move(at(23.2, 0)).plan)).toBe(23);
    expect(x(drag.move(at(23.23, 0, { alt: true })).plan)).toBe(23.23);
    const aligned = drag.move(at(0.04, 4.2));
    expect(x(aligned.plan)).toBe(0);
    expect(aligned.guides?.some((guide) => guide.axis === "x")).toBe(true);
    expect(drag.end(at(23, 5, { shift: true }))?.edit?.plan.sections?.[1]).toMatchObject({
      x: 20,
      y: 5,
    });
  });

  it("changes nothing that is there", () => {
    const before = JSON.stringify(PLAN);
    moveDrag(PLAN, ["stage"], at(0, -6), 20).end(at(3, -8));
    expect(JSON.stringify(PLAN)).toBe(before);
  });
});

describe("the marquee", () => {
  it("takes what is wholly in it, and keeps what was", () => {
    expect(marqueeDrag(PLAN, [], at(15, -3)).end(at(25, 3))?.selection).toEqual(["section:1"]);
    expect(marqueeDrag(PLAN, ["stage"], at(15, -3)).end(at(25, 3))?.selection).toEqual([
      "stage",
      "section:1",
    ]);
    expect(marqueeDrag(PLAN, [], at(19.9, -3)).end(at(25, 3))?.selection).toEqual([]);
  });
});

describe("drawing", () => {
  it("says how many rows and seats a rectangle has room for", () => {
    const box = (from: Point, to: Point) => seatsIn([from, to]);
    expect(box([0, 0], [9.4, 3])).toEqual({ rows: 4, seats: 10 });
    expect(box([4, 4], [4, 4])).toEqual({ rows: 1, seats: 1 });
  });

  it("tells a click from a rectangle", () => {
    const clicks: boolean[] = [];
    const drag = () =>
      drawDrag("add", at(1.1, 1.1), (_, corner) => {
        clicks.push(corner === null);
        return { plan: PLAN, selection: [] };
      });
    drag().end(at(1.3, 1.2));
    drag().end(at(8, 4));
    expect(clicks).toEqual([true, false]);
    expect(drag().move(at(8.2, 4.1)).box).toEqual([
      [1, 1],
      [8, 4],
    ]);
  });
});

describe("brushes", () => {
  it("erase each seat once, however often the pointer is over it", () => {
    const plan = brush("erase", [at(-2, 0), at(-1.9, 0), at(-1, 0), at(-2, 0)]);
    expect(rowsOf(plan)?.[0]).toEqual({ name: "A", seats: 5, without: [1, 2] });
    expect(rowsOf(brush("erase", [at(-2, 0), at(0, 0)], plan))?.[0]).toMatchObject({
      without: [2],
    });
  });

  it("erase listed seats by their label, though the list closes up", () => {
    const plan = brush("erase", [at(-1, 1), at(0, 1)]);
    expect(rowsOf(plan)?.[1]?.list).toEqual([{ label: "3" }]);
  });

  it("stop when a row goes with its last seat", () => {
    const rows = ["A", "B", "C"].map((name) => ({ name, seats: 1 }));
    const one: SeatsPlan = { type: "seats", sections: [{ name: "X", x: 0, y: 0, rows }] };
    const plan = brush("erase", [at(0, 0), at(0, 1), at(0, 2)], one);
    expect(rowsOf(plan)?.map((row) => row.name)).toEqual(["B", "C"]);
  });

  it("put an aisle on the side of the pointer", () => {
    expect(rowsOf(brush("aisle", [at(-0.8, 0)]))?.[0]).toMatchObject({ aisles: [2] });
    expect(rowsOf(brush("aisle", [at(-1.2, 0)]))?.[0]).toMatchObject({ aisles: [1] });
  });

  it("make places and companions", () => {
    const plan = brush("wheelchair", [at(-2, 0)]);
    expect(rowsOf(brush("companion", [at(-1, 0)], plan))?.[0]).toMatchObject({
      accessible: [1],
      companions: [{ seat: 2, of: 1 }],
    });
    expect(brush("companion", [at(-1, 0)])).toBe(PLAN);
  });

  it("paint a seat, its row, or its section", () => {
    const paint = (paintScope: "section" | "row" | "seat") =>
      brush("paint", [at(1, 0)], PLAN, { ...OPTIONS, paintCategory: "gold", paintScope });
    expect(paint("section").sections?.[0]?.category).toBe("gold");
    expect(rowsOf(paint("row"))?.[0]).toMatchObject({ seats: 5, category: "gold" });
    expect(rowsOf(paint("seat"))?.[0]?.list?.map((seat) => seat.category ?? null)).toEqual([
      null,
      null,
      null,
      "gold",
      null,
    ]);
    expect(brush("paint", [at(1, 0)])).toBe(PLAN);
  });
});

describe("handles", () => {
  const handle = (name: string, selection: readonly string[]) => {
    const found = handlesOf(sceneOf(PLAN), selection, 20).find((one) => one.name === name);
    if (!found) throw new Error(`no handle ${name}`);
    const to = (x: number, y: number) => found.drag(PLAN).end(at(x, y))?.edit?.plan ?? PLAN;
    return { by: (x: number, y: number) => to(found.at[0] + x, found.at[1] + y), to };
  };

  it("bend, turn and grow a section", () => {
    const bent = handle("curve", ["section:0"]).by(0, -1).sections?.[0]?.curve;
    expect(bent).toBeGreaterThan(10);
    expect(handle("turn", ["section:0"]).to(9, 0).sections?.[0]?.rotation).toBe(90);
    expect(rowsOf(handle("rows", ["section:1"]).by(0, 2), 1)).toHaveLength(3);
    expect(rowsOf(handle("seats", ["section:1"]).by(1, 0), 1)?.[0]?.seats).toBe(4);
  });

  it("are of one thing only", () => {
    expect(handlesOf(sceneOf(PLAN), ["section:0", "stage"], 20)).toEqual([]);
    const wide = handle("width", ["stage"]).to(8, -6).stage;
    expect(wide).toMatchObject({ width: 16 });
  });
});

describe("the state", () => {
  const done = (state: EditorState, capacity: number, tag?: string) =>
    reduce(state, {
      is: "do",
      label: "capacity",
      change: (plan) => ({ ...plan, pools: [{ unit: "floor", capacity }] }),
      ...(tag !== undefined && { tag }),
    });

  it("forgets a selection that is no longer there", () => {
    const chosen = reduce(initialState(PLAN), {
      is: "select",
      keys: ["section:1", "stage", "pool:9"],
    });
    expect(chosen.history.present.selection).toEqual(["section:1", "stage"]);
    const gone = reduce(chosen, { is: "do", label: "remove", change: () => ({ type: "seats" }) });
    expect(gone.history.present.selection).toEqual([]);
    expect(reduce(gone, { is: "undo" }).history.present.selection).toEqual(["section:1", "stage"]);
  });

  it("takes back what was typed in one step, but not what was typed elsewhere", () => {
    const typed = [1, 12, 120].reduce(
      (state, capacity) => done(state, capacity, "pool:0"),
      initialState(PLAN),
    );
    const other = done(typed, 7, "pool:1");
    expect(reduce(other, { is: "undo" }).history.present.plan.pools?.[0]?.capacity).toBe(120);
    expect(reduce(typed, { is: "undo" }).history.present.plan).toBe(PLAN);
  });
});
