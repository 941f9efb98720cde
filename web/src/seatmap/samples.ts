// Rooms for the tests.
import { readPlan } from "./plan";
import { makeRoom, type Room } from "./room";

export function roomOf(document: object): Room {
  const plan = readPlan({ type: "seats", ...document });
  if (plan === null) throw new Error("this is no plan");
  return makeRoom(plan);
}

export function at(room: Room, unit: string): number {
  const number = room.index.get(unit);
  if (number === undefined) throw new Error(`no unit ${unit}`);
  return number;
}

export const small = () =>
  roomOf({
    stage: { kind: "screen", label: "Screen" },
    categories: [
      { name: "best", rank: 1, price: 2000 },
      { name: "usual", rank: 2 },
    ],
    pools: [{ unit: "floor", capacity: 5, category: "usual" }],
    sections: [
      {
        name: "Stalls",
        category: "usual",
        rows: [
          { name: "A", seats: 6, accessible: [1], companions: [{ seat: 2, of: 1 }] },
          { name: "B", seats: 6, aisles: [3] },
          { name: "C", seats: 6, category: "best", without: [4] },
        ],
        tables: [
          { name: "T", seats: 4 },
          { name: "W", seats: 8, whole: true },
        ],
      },
    ],
  });
