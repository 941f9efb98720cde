// The web and the engine compute the same units and positions for a plan.
import { describe, expect, it } from "vitest";
import { layOut } from "./layout";
import { readPlan } from "./plan";
import { makeRoom } from "./room";
import vectors from "./vectors.json";

describe.each(vectors)("$name", (vector) => {
  const plan = readPlan(vector.plan);
  if (plan === null) throw new Error("the vector has no plan");
  const room = makeRoom(plan);

  it("has the engine's units and categories, in its order", () => {
    expect(room.units).toEqual(vector.units);
    const names = [...room.category].map((number) => room.categories[number]?.name);
    expect(names).toEqual(vector.categories);
    expect(Array.from(room.access.subarray(0, room.seats)).join("")).toBe(vector.access);
    expect(Array.from(room.breaks.subarray(0, room.seats)).join("")).toBe(vector.breaks);
  });

  it("places the seats as the engine does", () => {
    const { places } = layOut(plan);
    expect(places.length).toBe(vector.places.length);
    let off = 0;
    places.forEach((value, at) => {
      off = Math.max(off, Math.abs(value - (vector.places[at] ?? NaN)));
    });
    expect(off).toBeLessThan(1e-6);
  });

  it("loses nothing of the document", () => {
    expect(plan).toMatchObject(vector.plan);
    expect(readPlan(plan)).toEqual(plan);
  });
});
