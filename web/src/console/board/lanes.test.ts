import { describe, expect, test } from "vitest";
import { lanesOf, type Stay } from "./lanes";

const NIGHTS = ["2030-01-01", "2030-01-02", "2030-01-03", "2030-01-04"];

function stay(from: string, to: string): Stay {
  return { kind: "booking", id: from, from, to, room: null, rooms: 1 };
}

describe("the lanes of a listing", () => {
  test("nothing makes no lane", () => {
    expect(lanesOf([], NIGHTS)).toEqual([]);
  });
  test("one that comes as another goes has the same lane", () => {
    const lanes = lanesOf(
      [stay("2030-01-02", "2030-01-03"), stay("2029-12-30", "2030-01-02")],
      NIGHTS,
    );
    expect(lanes).toHaveLength(1);
    expect(lanes[0]).toMatchObject([
      { is: "stay", at: 0, span: 1 },
      { is: "stay", at: 1, span: 1 },
      { is: "night", at: 2 },
      { is: "night", at: 3 },
    ]);
  });
  test("two at once have two, cut where the shown nights end", () => {
    const lanes = lanesOf(
      [stay("2030-01-01", "2030-01-03"), stay("2030-01-02", "2030-02-01")],
      NIGHTS,
    );
    expect(lanes).toHaveLength(2);
    expect(lanes[1]).toMatchObject([
      { is: "night", at: 0 },
      { is: "stay", at: 1, span: 3 },
    ]);
  });
  test("what was gone before is not there", () => {
    expect(lanesOf([stay("2029-12-30", "2030-01-01")], NIGHTS)).toEqual([]);
  });
});
