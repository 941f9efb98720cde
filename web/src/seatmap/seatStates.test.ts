// The visitor's selection and concurrent changes by others, by example and by property.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SeatStates, type UnitState } from "./seatStates";
import { at, small } from "./samples";
import { BLOCKED, BOOKED, FREE, HELD, MINE, SELECTED } from "./sprites";

const names = (states: SeatStates, units: readonly number[]) =>
  units.map((unit) => states.room.units[unit]);

describe("choosing", () => {
  it("chooses and gives up, in order", () => {
    const states = new SeatStates(small());
    expect(states.toggle(at(states.room, "B2"))).toBe(true);
    expect(states.toggle(at(states.room, "B1"))).toBe(true);
    expect(names(states, states.chosen)).toEqual(["B2", "B1"]);
    expect(states.toggle(at(states.room, "B2"))).toBe(true);
    expect(names(states, states.chosen)).toEqual(["B1"]);
    expect(states.kinds[at(states.room, "B1")]).toBe(SELECTED);
    expect(states.kinds[at(states.room, "B2")]).toBe(FREE);
  });

  it("takes no more than the most, seats and places together", () => {
    const states = new SeatStates(small());
    states.max = 3;
    states.setQuantity("floor", 9);
    expect(states.quantities.get("floor")).toBe(3);
    expect(states.toggle(at(states.room, "B1"))).toBe(false);
    states.setQuantity("floor", 1);
    states.choose(["B1", "B2", "B3"].map((unit) => at(states.room, unit)));
    expect(names(states, states.chosen)).toEqual(["B1", "B2"]);
  });

  it("refuses what is taken, and everything where one only looks", () => {
    const states = new SeatStates(small());
    states.change({ B1: "booked", B2: "held", B3: "blocked" });
    for (const unit of ["B1", "B2", "B3"]) expect(states.toggle(at(states.room, unit))).toBe(false);
    states.mode = "view";
    expect(states.toggle(at(states.room, "B4"))).toBe(false);
  });

  it("lets operators choose what is blocked, and no limit", () => {
    const states = new SeatStates(small());
    states.mode = "block";
    states.max = Infinity;
    states.change({ B1: "blocked", B2: "held" });
    expect(states.toggle(at(states.room, "B1"))).toBe(true);
    expect(states.toggle(at(states.room, "B2"))).toBe(false);
    expect(states.change({ B1: "booked" }).lost).toEqual([at(states.room, "B1")]);
  });
});

describe("live changes", () => {
  it("loses a chosen seat once, and says which", () => {
    const states = new SeatStates(small());
    states.toggle(at(states.room, "B1"));
    states.toggle(at(states.room, "B2"));
    expect(names(states, states.change({ B1: "held", C1: "held" }).lost)).toEqual(["B1"]);
    expect(states.change({ B1: "booked" }).lost).toEqual([]);
    expect(names(states, states.chosen)).toEqual(["B2"]);
    expect([states.kinds[at(states.room, "B1")], states.kinds[at(states.room, "C1")]]).toEqual([
      BOOKED,
      HELD,
    ]);
  });

  it("loses none of one's own", () => {
    const states = new SeatStates(small());
    states.toggle(at(states.room, "B1"));
    states.setMine(["B1"]);
    expect(states.change({ B1: "held" }).lost).toEqual([]);
    expect(states.isChosen(at(states.room, "B1"))).toBe(true);
    states.choose([]);
    expect(states.kinds[at(states.room, "B1")]).toBe(MINE);
  });

  it("waits with the loss while a hold is being placed", () => {
    const states = new SeatStates(small());
    states.choose(["B1", "B2", "B3"].map((unit) => at(states.room, unit)));
    states.setHolding(true);
    expect(states.change({ B1: "held", B2: "held" }).lost).toEqual([]);
    expect(names(states, states.change({ B3: "booked" }).lost)).toEqual(["B3"]);
    states.setMine(["B1"]);
    expect(names(states, states.setHolding(false).lost)).toEqual(["B2"]);
    expect(names(states, states.chosen)).toEqual(["B1"]);
  });

  it("shows a whole picture: what is absent is free again", () => {
    const states = new SeatStates(small());
    states.show({ B1: "booked", B2: "blocked", unheard: "held" });
    expect(states.free).toBe(states.room.units.length - 2);
    expect(states.kinds[at(states.room, "B2")]).toBe(BLOCKED);
    expect(names(states, states.show({ B2: "blocked" }).changed)).toEqual(["B1"]);
  });

  it("wants no more places than are left", () => {
    const states = new SeatStates(small());
    states.setQuantity("floor", 4);
    expect(states.showPools({ floor: { capacity: 5, available: 4 } })).toBe(false);
    expect(
      states.showPools({
        floor: { capacity: 5, available: 1 },
        unheard: { capacity: 1, available: 1 },
      }),
    ).toBe(true);
    expect(states.quantities.get("floor")).toBe(1);
    states.showPools({ floor: { capacity: 5, available: 0 } });
    expect(states.quantities.has("floor")).toBe(false);
  });
});

type Step =
  | { kind: "toggle"; unit: string }
  | { kind: "mine"; unit: string }
  | { kind: "change"; unit: string; state: UnitState }
  | { kind: "show"; unit: string; state: UnitState }
  | { kind: "holding"; is: boolean };

const units = small().units;
const unit = fc.constantFrom(...units);
const state = fc.constantFrom<UnitState>("free", "held", "booked", "blocked");
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant("toggle" as const), unit }),
  fc.record({ kind: fc.constant("mine" as const), unit }),
  fc.record({ kind: fc.constant("change" as const), unit, state }),
  fc.record({ kind: fc.constant("show" as const), unit, state }),
  fc.record({ kind: fc.constant("holding" as const), is: fc.boolean() }),
);

describe("by chance", () => {
  it("keeps its promises whatever comes in whatever order", () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 80 }),
        fc.integer({ min: 0, max: 5 }),
        (steps, max) => {
          const states = new SeatStates(small());
          states.max = max;
          const told = new Map<string, UnitState>();
          let mine = "";
          for (const one of steps) {
            const before = new Set(states.chosen);
            let lost: readonly number[] = [];
            if (one.kind === "toggle") states.toggle(at(states.room, one.unit));
            else if (one.kind === "mine") states.setMine([(mine = one.unit)]);
            else if (one.kind === "holding") ({ lost } = states.setHolding(one.is));
            else {
              if (one.kind === "show") told.clear();
              told.set(one.unit, one.state);
              const outcome =
                one.kind === "show"
                  ? states.show({ [one.unit]: one.state })
                  : states.change({ [one.unit]: one.state });
              ({ lost } = outcome);
            }
            // Lost units were chosen before and are not now; only the visitor's taps remove others.
            for (const gone of lost) expect(before.has(gone) && !states.isChosen(gone)).toBe(true);
            if (one.kind !== "toggle") {
              const gone = [...before].filter((chosen) => !states.isChosen(chosen));
              expect(gone.sort()).toEqual([...lost].sort());
            }
            expect(states.chosen.length).toBeLessThanOrEqual(max);
          }
          let free = 0;
          for (const name of units) {
            const number = at(states.room, name);
            const known = told.get(name) ?? "free";
            expect(states.state(number)).toBe(known);
            if (known === "free") free += 1;
            const isTaken = known !== "free" && name !== mine;
            if (isTaken && !states.isHolding && steps.at(-1)?.kind !== "mine") {
              const wasOwn = steps.some((one) => one.kind === "mine" && one.unit === name);
              if (!wasOwn) expect(states.isChosen(number)).toBe(false);
            }
          }
          expect(states.free).toBe(free);
        },
      ),
      { numRuns: 300 },
    );
  });
});
