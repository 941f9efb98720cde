import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { brokenAt, locate, positionOf } from "./jsonPosition";

const TEXT = `{
  "films": [{"title": "A \\"quoted\\" { title"}],
  "shows": [
    {"film": "x", "at": 1.5e3},
    {"film": {"deep": [true, null, "here"]}}
  ]
}`;

describe("a path in a file", () => {
  it("is found with its line and column", () => {
    expect(locate(TEXT, "films[0].title")).toEqual({ line: 2, column: 23 });
    expect(locate(TEXT, "shows[1].film.deep[2]")).toEqual({ line: 5, column: 36 });
    expect(locate(TEXT, "$.shows[0].at")).toEqual({ line: 4, column: 25 });
  });

  it("is not found where it is not", () => {
    expect(locate(TEXT, "shows[7].film")).toBeNull();
    expect(locate(TEXT, "films[0].title.more")).toBeNull();
    expect(locate("{oops", "films")).toBeNull();
  });

  it("is found in every document, wherever the value stands", () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue(), { minLength: 1, maxLength: 5 }),
        fc.nat(),
        (items, pick) => {
          const at = pick % items.length;
          const text = JSON.stringify({ before: items, items }, null, 2);
          const place = locate(text, `items[${at}]`);
          expect(place).not.toBeNull();
          const line = text.split("\n")[(place?.line ?? 0) - 1] ?? "";
          const first = JSON.stringify(items[at])?.[0];
          expect(line[(place?.column ?? 0) - 1]).toBe(first);
        },
      ),
    );
  });
});

describe("a file that is no JSON", () => {
  it("is broken at the place where it stops being one", () => {
    expect(brokenAt('{\n  "a": 1,\n  "b" 2\n}')).toEqual({ line: 3, column: 7 });
    expect(brokenAt("[1, 2")).toEqual({ line: 1, column: 6 });
    expect(brokenAt("[1, 2] more")).toEqual({ line: 1, column: 8 });
  });

  it("is not broken where it is one", () => {
    expect(brokenAt(TEXT)).toBeNull();
  });
});

it("counts lines and columns from one", () => {
  expect(positionOf("ab\ncd", 0)).toEqual({ line: 1, column: 1 });
  expect(positionOf("ab\ncd", 4)).toEqual({ line: 2, column: 2 });
});
