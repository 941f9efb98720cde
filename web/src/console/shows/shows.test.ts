// The live state of a show, and what a block is made of.
import { describe, expect, it } from "vitest";
import type { Resource } from "~/api/schema";
import { blockFields, blockLine } from "./blockForm";
import { afterChange, fromSnapshot, tally } from "./live";

describe("a live show", () => {
  const live = fromSnapshot({
    resource_version: 1,
    at: "2030-01-01T12:00:00Z",
    resource_id: "res_1",
    taken: { A1: "held", A2: "booked" },
    pools: { floor: { capacity: 10, available: 4 } },
    units_free: 8,
  });

  it("follows its changes", () => {
    const later = afterChange(live, {
      units: { A1: "free", A3: "blocked" },
      pools: { floor: { capacity: 10, available: 3 } },
      units_free: 8,
    });
    expect(later.taken).toEqual({ A2: "booked", A3: "blocked" });
    expect(later.pools["floor"]?.available).toBe(3);
    expect(live.taken).toEqual({ A1: "held", A2: "booked" });
  });

  it("counts what is taken by state", () => {
    expect(tally(live)).toEqual({ held: 1, booked: 1, blocked: 0 });
  });
});

describe("a block", () => {
  const pools: Resource["plan"] = {
    type: "pools",
    codes: [],
    products: [],
    sell_pools: true,
    pools: [{ unit: "field", capacity: 10, category: null, outline: [] }],
  };
  const filled = { unit: "field", from: "", to: "", quantity: "3" };

  it("of a pool has a quantity", () => {
    const fields = blockFields(pools);
    expect(fields.units).toEqual(["field"]);
    expect(blockLine(fields, filled)).toEqual({ unit: "field", quantity: 3 });
    for (const quantity of ["", "0", "-1", "1.5", "many"]) {
      expect(blockLine(fields, { ...filled, quantity })).toBeNull();
    }
    expect(blockLine(fields, { ...filled, unit: " " })).toBeNull();
  });

  it("of nights of a counted type has a quantity", () => {
    const plan: Resource["plan"] = { type: "nights", count: 20 };
    expect(blockFields(plan)).toMatchObject({ units: null, hasQuantity: true });
    const rooms = blockFields({ type: "nights", rooms: ["101"] });
    expect(rooms).toMatchObject({ units: ["101"], hasQuantity: false });
  });

  it("of a time has a range that goes forward", () => {
    const fields = { units: null, needsUnit: false, range: "date", hasQuantity: false } as const;
    const range = { unit: "", from: "2026-12-01", to: "2026-12-04", quantity: "" };
    expect(blockLine(fields, range)).toEqual({
      unit: null,
      quantity: null,
      from: "2026-12-01",
      to: "2026-12-04",
    });
    expect(blockLine(fields, { ...range, to: "2026-11-30" })).toBeNull();
    expect(blockLine(fields, { ...range, from: "" })).toBeNull();
  });
});
