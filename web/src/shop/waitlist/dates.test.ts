import { expect, test } from "vitest";
import { lengthOf, movedTo, nextArrival, stayFaults, stayPlaces } from "./dates";

const STAY = { start: "2030-03-29", end: "2030-04-01" };
const TODAY = "2030-03-01";

test("other arrivals are for as many nights, over the change of clocks too", () => {
  expect(lengthOf(STAY)).toBe(3);
  expect(movedTo("2030-12-30", STAY)).toEqual({ start: "2030-12-30", end: "2031-01-02" });
  expect(movedTo("", STAY)).toEqual({ start: "", end: "" });
});

test("another arrival begins a week after the last", () => {
  expect(nextArrival(STAY, [])).toBe("2030-04-05");
  expect(nextArrival(STAY, ["2030-06-01", "2030-05-01"])).toBe("2030-06-08");
  expect(nextArrival({ start: "", end: "" }, [])).toBe("");
});

test("the stay itself is tried first, then the others by their days", () => {
  expect(stayPlaces("res_1", STAY, ["2030-05-01", "2030-03-08"])).toEqual([
    { resource_id: "res_1", from: "2030-03-29", to: "2030-04-01" },
    { resource_id: "res_1", from: "2030-03-08", to: "2030-03-11" },
    { resource_id: "res_1", from: "2030-05-01", to: "2030-05-04" },
  ]);
});

test("what cannot be a stay is told before it is sent", () => {
  const at = (typed: object, most: number | null = 4) =>
    stayFaults({ stay: STAY, others: [], guests: 2, ...typed }, TODAY, most);
  expect(at({})).toEqual([]);
  expect(at({ stay: { start: "", end: "" } })).toEqual(["start", "end"]);
  expect(at({ stay: { start: "2030-02-28", end: "2030-03-02" } })).toEqual(["start"]);
  expect(at({ stay: { ...STAY, end: STAY.start } })).toEqual(["end"]);
  expect(at({ stay: { ...STAY, end: "2031-03-31" } })).toEqual(["end"]);
  expect(at({ guests: 5 })).toEqual(["guests"]);
  expect(at({ guests: 5 }, null)).toEqual([]);
  expect(at({ guests: 1.5 })).toEqual(["guests"]);
  expect(at({ guests: Number("") })).toEqual(["guests"]);
  expect(at({ others: ["2030-03-01", ""] })).toEqual(["others"]);
});
