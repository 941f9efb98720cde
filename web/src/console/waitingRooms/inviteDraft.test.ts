import { describe, expect, test } from "vitest";
import { batchOf, filesOf } from "./inviteDraft";

const DRAFT = { queue: "club", name: " Fans ", codes: "2000", persons: "1", until: "" };

describe("a batch of codes", () => {
  test("is what was typed", () => {
    expect(batchOf(DRAFT)).toEqual({
      queue: "club",
      name: "Fans",
      codes: 2000,
      persons: 1,
      until: null,
    });
  });

  test.each([
    ["name", " "],
    ["codes", "0"],
    ["codes", "100001"],
    ["codes", "many"],
    ["persons", "1001"],
    ["until", "tomorrow"],
  ])("is none with %s %j", (field, typed) => {
    expect(batchOf({ ...DRAFT, [field]: typed })).toBeNull();
  });

  test("is in one file, or in several that have all of it", () => {
    const path = "/v1/waiting-rooms/wrm_1/invite-batches/3/codes?format=csv";
    expect(filesOf("wrm_1", { batch: 3, codes: 10_000 })).toEqual([
      { from: 1, to: 10_000, href: path },
    ]);
    expect(filesOf("wrm_1", { batch: 3, codes: 20_001 })).toEqual([
      { from: 1, to: 10_000, href: path },
      { from: 10_001, to: 20_000, href: `${path}&after=10000` },
      { from: 20_001, to: 20_001, href: `${path}&after=20000` },
    ]);
  });
});
