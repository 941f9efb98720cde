// Rooms that nobody draws.
import { expect, test } from "vitest";
import { areasFaults, areasPlan, rowsFaults, rowsPlan } from "./roomPlan";

const ROWS = {
  rows: "4",
  seats: "10",
  front: "1",
  first: "Gold",
  second: "Red",
  stage: { label: "Stage" },
};

test("rows in two categories", () => {
  const plan = rowsPlan(ROWS);
  expect(plan.categories?.map(({ name }) => name)).toEqual(["Gold", "Red"]);
  expect(plan.sections?.map(({ rows }) => rows?.map(({ name }) => name))).toEqual([
    ["A"],
    ["B", "C", "D"],
  ]);
  expect(rowsPlan({ ...ROWS, front: "0" }).categories).toHaveLength(1);
});

test("what is wrong with rows", () => {
  expect(rowsFaults(ROWS)).toEqual([]);
  expect(rowsFaults({ ...ROWS, rows: "0", front: "x", second: "Gold" })).toEqual([
    "rows",
    "front",
    "second",
  ]);
  expect(rowsFaults({ ...ROWS, front: "5" })).toEqual(["front"]);
});

test("areas have names of their own", () => {
  const areas = [
    { name: "Floor", capacity: "300" },
    { name: "Floor", capacity: "" },
  ];
  expect(areasFaults(areas)).toEqual(["1.name", "1.capacity"]);
  expect(areasPlan(areas.slice(0, 1)).pools).toEqual([
    { unit: "Floor", capacity: 300, category: "Floor" },
  ]);
});
