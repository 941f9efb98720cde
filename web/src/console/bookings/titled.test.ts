import { expect, test } from "vitest";
import { titled } from "./titled";

const WORDS = new Map([["res_1", { "dr-rao": "Dr. Rao", "Check-up": "Untersuchung" }]]);
const TIME = {
  resource_id: "res_1",
  unit: "dr-rao",
  rate: "Check-up",
  from: "2026-12-01T09:00:00+01:00",
};

test("a line of times has the titles of its resource", () => {
  expect(titled(TIME, WORDS)).toEqual({ ...TIME, unit: "Dr. Rao", rate: "Untersuchung" });
  expect(titled({ ...TIME, unit: null }, WORDS).unit).toBeNull();
  const piece = { resource_id: "res_1", unit: "dr-rao@2026-12-01T08:00Z" };
  expect(titled(piece, WORDS).unit).toBe("Dr. Rao@2026-12-01T08:00Z");
});

test("what is of another resource, or no time, stays as it is", () => {
  const other = { ...TIME, resource_id: "res_2" };
  expect(titled(other, WORDS)).toBe(other);
  const room = { resource_id: "res_1", unit: "dr-rao", from: "2026-12-01", to: "2026-12-03" };
  expect(titled(room, WORDS)).toBe(room);
});
