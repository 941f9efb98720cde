import { expect, test } from "vitest";
import type { BoardListing } from "~/api/schema";
import type { Stay } from "./lanes";
import { canMove, goalsOf, isWithin } from "./moves";

function stay(room: string | null, from: string, to: string, kind: Stay["kind"] = "booking"): Stay {
  return { kind, id: `${room} ${from}`, room, rooms: 1, from, to } as Stay;
}

function house(rooms: string[] | null, ...stays: Stay[]): BoardListing {
  return { id: "res_1", name: "Double", rooms, nights: [], stays };
}

test("a stay may go where no night of it is taken", () => {
  const own = stay("101", "2030-01-03", "2030-01-05");
  const listing = house(
    ["101", "102", "103", "104", "105"],
    own,
    stay("102", "2030-01-01", "2030-01-03"),
    stay("102", "2030-01-05", "2030-01-06"),
    stay("103", "2030-01-04", "2030-01-09"),
    stay("104", "2030-01-04", "2030-01-05", "block"),
    stay("105", "2030-01-02", "2030-01-04", "hold"),
    stay("105", "2030-01-04", "2030-01-05", "block"),
  );
  expect(goalsOf(listing, own)).toEqual([
    { room: "102", taken: null },
    { room: "103", taken: "taken" },
    { room: "104", taken: "blocked" },
    { room: "105", taken: "taken" },
  ]);
});

test("only bookings of one of several rooms can be moved", () => {
  const own = stay("101", "2030-01-03", "2030-01-05");
  expect(canMove(house(["101", "102"]), own)).toBe(true);
  expect(canMove(house(["101"]), own)).toBe(false);
  expect(canMove(house(null), stay(null, "2030-01-03", "2030-01-05"))).toBe(false);
  expect(canMove(house(["101", "102"]), { ...own, kind: "hold" })).toBe(false);
  expect(canMove(house(["101", "102"]), { ...own, kind: "block" })).toBe(false);
});

test("the nights that are moved are some of the stay", () => {
  const own = stay("101", "2030-01-03", "2030-01-06");
  const within = (from: string, to: string) => isWithin(own, { from, to });
  expect(within("2030-01-03", "2030-01-06")).toBe(true);
  expect(within("2030-01-04", "2030-01-05")).toBe(true);
  expect(within("2030-01-04", "2030-01-04")).toBe(false);
  expect(within("2030-01-05", "2030-01-04")).toBe(false);
  expect(within("2030-01-02", "2030-01-05")).toBe(false);
  expect(within("2030-01-04", "2030-01-07")).toBe(false);
  expect(within("", "2030-01-06")).toBe(false);
});
