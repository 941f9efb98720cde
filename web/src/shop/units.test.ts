import { expect, test } from "vitest";
import { readPlan } from "~/seatmap/plan";
import { groupUnits, seatNumbers } from "./units";

const PLAN = readPlan({
  type: "seats",
  sections: [
    {
      name: "Stalls",
      rows: [
        { name: "A", seats: 12 },
        { name: "B", seats: 12 },
      ],
    },
    {
      name: "Box",
      prefix: "X-",
      tables: [
        { name: "T1", seats: 4 },
        { name: "T2", seats: 4, whole: true },
      ],
    },
  ],
  pools: [{ unit: "floor", capacity: 100 }],
});

test("seats are named row by row, in the order of the room", () => {
  const lines = ["B2", "A10", "B1", "A9"].map((unit) => ({ unit }));
  expect(groupUnits(PLAN, lines)).toEqual([
    { kind: "row", section: "Stalls", name: "A", seats: ["9", "10"], units: ["A9", "A10"] },
    { kind: "row", section: "Stalls", name: "B", seats: ["1", "2"], units: ["B1", "B2"] },
  ]);
});

test("tables, areas and what the plan does not know have their own words", () => {
  const lines = [
    { unit: "X-T1-2" },
    { unit: "X-T2" },
    { unit: "floor", quantity: 3 },
    { unit: null, quantity: 2 },
  ];
  expect(groupUnits(PLAN, lines).map(({ kind, name }) => [kind, name])).toEqual([
    ["table", "T1"],
    ["other", "X-T2"],
    ["area", "floor"],
  ]);
});

test("without a plan, units keep their names", () => {
  expect(groupUnits(null, [{ unit: "<script>" }])).toEqual([
    { kind: "other", name: "<script>", quantity: 1, units: ["<script>"] },
  ]);
});

test("numbers that follow each other are a range", () => {
  expect(seatNumbers(["9", "10", "11", "14"])).toBe("9–11, 14");
  expect(seatNumbers(["9", "10"])).toBe("9, 10");
  expect(seatNumbers(["2a", "3"])).toBe("2a, 3");
  expect(seatNumbers([])).toBe("");
});
