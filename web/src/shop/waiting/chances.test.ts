import { expect, test } from "vitest";
import { byResource, chanceOf } from "./chances";

const left = { units_left: 40, enough_for: [30, 12] };

test("a chance is told in words, by the place and for how many it is enough", () => {
  expect(chanceOf(left, 0, 0)).toBe("very_likely");
  expect(chanceOf(left, 0, 19)).toBe("very_likely");
  expect(chanceOf(left, 0, 20)).toBe("likely");
  expect(chanceOf(left, 0, 29)).toBe("likely");
  expect(chanceOf(left, 0, 30)).toBe("uncertain");
  expect(chanceOf(left, 0, 44)).toBe("uncertain");
  expect(chanceOf(left, 0, 45)).toBe("unlikely");
});

test("each queue has its own number", () => {
  expect(chanceOf(left, 1, 19)).toBe("unlikely");
  expect(chanceOf(left, 2, 0)).toBe("unknown");
});

test("what is gone is gone for the next, too; what is left for nobody is unlikely", () => {
  expect(chanceOf({ units_left: 0, enough_for: [0] }, 0, 0)).toBe("gone");
  expect(chanceOf({ units_left: 0, enough_for: null }, 0, null)).toBe("gone");
  expect(chanceOf({ units_left: 2, enough_for: [0] }, 0, 0)).toBe("unlikely");
});

test("where nothing is measured, or nobody has a place, nothing is said", () => {
  expect(chanceOf({ units_left: 2, enough_for: null }, 0, 5)).toBe("unknown");
  expect(chanceOf(left, 0, null)).toBe("unknown");
});

test("whoever stands further behind never has the better chance", () => {
  const order = ["very_likely", "likely", "uncertain", "unlikely"];
  for (let enough = 0; enough < 60; enough += 1) {
    const chances = Array.from({ length: 200 }, (_, ahead) =>
      order.indexOf(chanceOf({ units_left: 9, enough_for: [enough] }, 0, ahead)),
    );
    expect(chances).toEqual([...chances].sort((one, other) => one - other));
    expect(chances).not.toContain(-1);
  }
});

test("categories are put together by their resource", () => {
  const one = { category: "a", units: 9, ...left };
  const all = ["r1", "r2", "r1"].map((resource_id) => ({ ...one, resource_id }));
  const counts = [...byResource(all)].map(([id, of]) => [id, of.length]);
  expect(counts).toEqual([
    ["r1", 2],
    ["r2", 1],
  ]);
});
