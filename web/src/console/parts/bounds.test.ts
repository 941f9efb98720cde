import { expect, test } from "vitest";
import { boundsOf, boundsText } from "./bounds";

test("ids are resources, with commas or without", () => {
  expect(boundsOf("res_aaaaaaaa, res_bbbbbbbb\nres_cccccccc")).toEqual({
    resources: ["res_aaaaaaaa", "res_bbbbbbbb", "res_cccccccc"],
  });
});

test("a place has a slash in it", () => {
  expect(boundsOf(" gym/wall_1 ")).toEqual({ place: "gym/wall_1" });
});

test("nothing is everywhere", () => {
  expect(boundsOf(" , ")).toEqual({});
});

test("a place and something else is nowhere, and never only one of them", () => {
  expect(boundsOf("gym/wall_1 res_aaaaaaaa")).toBeNull();
  expect(boundsOf("gym/wall_1, gym/wall_2")).toBeNull();
});

test("what was typed is typed again", () => {
  for (const text of ["", "gym/wall_1", "res_aaaaaaaa, res_bbbbbbbb"]) {
    expect(boundsText({ resources: null, place: null, ...boundsOf(text) })).toBe(text);
  }
});
