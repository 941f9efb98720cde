// The visitor's choice and what others do meanwhile, by example and by chance.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Ledger, type UnitState } from "./seatStates";
import { at, small } from "./samples";
import { BLOCKED, BOOKED, FREE, HELD, MINE, SELECTED } from "./sprites";

const names = (ledger: Ledger, units: readonly number[]) =>
  units.map((unit) => ledger.room.units[unit]);

describe("choosing", () => {
  it("chooses and gives up, in order", () => {
    const ledger = new Ledger(small());
    expect(ledger.toggle(at(ledger.room, "B2"))).toBe(true);
    expect(ledger.toggle(at(ledger.room, "B1"))).toBe(true);
    expect(names(ledger, ledger.chosen)).toEqual(["B2", "B1"]);
    expect(ledger.toggle(at(ledger.room, "B2"))).toBe(true);
    expect(names(ledger, ledger.chosen)).toEqual(["B1"]);
    expect(ledger.kinds[at(ledger.room, "B1")]).toBe(SELECTED);
    expect(ledger.kinds[at(ledger.room, "B2")]).toBe(FREE);
  });

  it("takes no more than the most, seats and places together", () => {
    const ledger = new Ledger(small());
    ledger.max = 3;
    ledger.setQuantity("floor", 9);
    expect(ledger.quantities.get("floor")).toBe(3);
    expect(ledger.toggle(at(ledger.room, "B1"))).toBe(false);
    ledger.setQuantity("floor", 1);
    ledger.choose(["B1", "B2", "B3"].map((unit) => at(ledger.room, unit)));
    expect(names(ledger, ledger.chosen)).toEqual(["B1", "B2"]);
  });

  it("refuses what is taken, and everything where one only looks", () => {
    const ledger = new Ledger(small());
    ledger.change({ B1: "booked", B2: "held", B3: "blocked" });
    for (const unit of ["B1", "B2", "B3"]) expect(ledger.toggle(at(ledger.room, unit))).toBe(false);
    ledger.mode = "view";
    expect(ledger.toggle(at(ledger.room, "B4"))).toBe(false);
  });

  it("lets operators choose what is blocked, and no limit", () => {
    const ledger = new Ledger(small());
    ledger.mode = "block";
    ledger.max = Infinity;
    ledger.change({ B1: "blocked", B2: "held" });
    expect(ledger.toggle(at(ledger.room, "B1"))).toBe(true);
    expect(ledger.toggle(at(ledger.room, "B2"))).toBe(false);
    expect(ledger.change({ B1: "booked" }).lost).toEqual([at(ledger.room, "B1")]);
  });
});

describe("live changes", () => {
  it("loses a chosen seat once, and says which", () => {
    const ledger = new Ledger(small());
    ledger.toggle(at(ledger.room, "B1"));
    ledger.toggle(at(ledger.room, "B2"));
    expect(names(ledger, ledger.change({ B1: "held", C1: "held" }).lost)).toEqual(["B1"]);
    expect(ledger.change({ B1: "booked" }).lost).toEqual([]);
    expect(names(ledger, ledger.chosen)).toEqual(["B2"]);
    expect([ledger.kinds[at(ledger.room, "B1")], ledger.kinds[at(ledger.room, "C1")]]).toEqual([
      BOOKED,
      HELD,
    ]);
  });

  it("loses none of one's own", () => {
    const ledger = new Ledger(small());
    ledger.toggle(at(ledger.room, "B1"));
    ledger.setMine(["B1"]);
    expect(ledger.change({ B1: "held" }).lost).toEqual([]);
    expect(ledger.isChosen(at(ledger.room, "B1"))).toBe(true);
    ledger.choose([]);
    expect(ledger.kinds[at(ledger.room, "B1")]).toBe(MINE);
  });

  it("waits with the loss while a hold is being placed", () => {
    const ledger = new Ledger(small());
    ledger.choose(["B1", "B2", "B3"].map((unit) => at(ledger.room, unit)));
    ledger.setHolding(true);
    expect(ledger.change({ B1: "held", B2: "held" }).lost).toEqual([]);
    expect(names(ledger, ledger.change({ B3: "booked" }).lost)).toEqual(["B3"]);
    ledger.setMine(["B1"]);
    expect(names(ledger, ledger.setHolding(false).lost)).toEqual(["B2"]);
    expect(names(ledger, ledger.chosen)).toEqual(["B1"]);
  });

  it("shows a whole picture: what is absent is free again", () => {
    const ledger = new Ledger(small());
    ledger.show({ B1: "booked", B2: "blocked", unheard: "held" });
    expect(ledger.free).toBe(ledger.room.units.length - 2);
    expect(ledger.kinds[at(ledger.room, "B2")]).toBe(BLOCKED);
    expect(names(ledger, ledger.show({ B2: "blocked" }).changed)).toEqual(["B1"]);
  });

  it("wants no more places than are left", () => {
    const ledger = new Ledger(small());
    ledger.setQuantity("floor", 4);
    expect(ledger.showPools({ floor: { capacity: 5, available: 4 } })).toBe(false);
    expect(
      ledger.showPools({
        floor: { capacity: 5, available: 1 },
        unheard: { capacity: 1, available: 1 },
      }),
    ).toBe(true);
    expect(ledger.quantities.get("floor")).toBe(1);
    ledger.showPools({ floor: { capacity: 5, available: 0 } });
    expect(ledger.quantities.has("floor")).toBe(false);
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
          const ledger = new Ledger(small());
          ledger.max = max;
          const told = new Map<string, UnitState>();
          let mine = "";
          for (const one of steps) {
            const before = new Set(ledger.chosen);
            let lost: readonly number[] = [];
            if (one.kind === "toggle") ledger.toggle(at(ledger.room, one.unit));
            else if (one.kind === "mine") ledger.setMine([(mine = one.unit)]);
            else if (one.kind === "holding") ({ lost } = ledger.setHolding(one.is));
            else {
              if (one.kind === "show") told.clear();
              told.set(one.unit, one.state);
              const outcome =
                one.kind === "show"
                  ? ledger.show({ [one.unit]: one.state })
                  : ledger.change({ [one.unit]: one.state });
              ({ lost } = outcome);
            }
            // What is lost was chosen and is no more; nothing else goes but by the visitor's own tap.
            for (const gone of lost) expect(before.has(gone) && !ledger.isChosen(gone)).toBe(true);
            if (one.kind !== "toggle") {
              const gone = [...before].filter((chosen) => !ledger.isChosen(chosen));
              expect(gone.sort()).toEqual([...lost].sort());
            }
            expect(ledger.chosen.length).toBeLessThanOrEqual(max);
          }
          let free = 0;
          for (const name of units) {
            const number = at(ledger.room, name);
            const known = told.get(name) ?? "free";
            expect(ledger.state(number)).toBe(known);
            if (known === "free") free += 1;
            const isTaken = known !== "free" && name !== mine;
            if (isTaken && !ledger.isHolding && steps.at(-1)?.kind !== "mine") {
              const wasOwn = steps.some((one) => one.kind === "mine" && one.unit === name);
              if (!wasOwn) expect(ledger.isChosen(number)).toBe(false);
            }
          }
          expect(ledger.free).toBe(free);
        },
      ),
      { numRuns: 300 },
    );
  });
});
