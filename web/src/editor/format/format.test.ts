// Files: what is opened and written again unedited is the same document, and nonsense is refused with
// its place.
import fc from "fast-check";
import { readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { isRecord } from "~/api/client";
import type { SeatsPlan } from "~/seatmap/plan";
import vectors from "~/seatmap/vectors.json";
import { problemsOf } from "../document/problems";
import { anyPlan } from "../testing/plans";
import { readDocument, readText, writeText } from "./strict";

// Hundreds of rooms take a while on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const docs = (name: string) => readFileSync(`../docs/reference/${name}`, "utf8");
const examples = [...docs("seat-map.md").matchAll(/```json\n([\s\S]*?)```/gu)].map(
  (found) => found[1] ?? "",
);

function planOf(text: string): SeatsPlan {
  const reading = readText(text);
  if (!("plan" in reading)) throw new Error(JSON.stringify(reading.faults));
  return reading.plan;
}

function faultOf(document: unknown) {
  const reading = readDocument(document);
  return "plan" in reading ? null : reading.faults[0];
}

describe("JSON", () => {
  it("comes out as it went in, its fields in their order", () => {
    fc.assert(
      fc.property(anyPlan, (plan) => {
        const text = writeText(plan);
        expect(writeText(planOf(text))).toBe(text);
        expect(problemsOf(plan).filter((problem) => problem.isError)).toEqual([]);
      }),
    );
  });

  it("reads every example of the reference and writes it again", () => {
    expect(examples.length).toBeGreaterThan(6);
    for (const example of examples) {
      const plan = planOf(example);
      expect(JSON.stringify(plan)).toBe(JSON.stringify(JSON.parse(example)));
      expect(problemsOf(plan).filter((problem) => problem.isError)).toEqual([]);
    }
  });

  it("takes the rooms that the layout is held to", () => {
    const plans = Object.values(vectors).flatMap((one: unknown) =>
      Array.isArray(one) ? one : [one],
    );
    const found = plans.flatMap((one: unknown) =>
      isRecord(one) && isRecord(one["plan"]) ? [one["plan"]] : [],
    );
    expect(found.length).toBeGreaterThan(3);
    for (const plan of found) expect(faultOf(plan)).toBeNull();
  });

  it.each([
    [{ type: "seats", rooms: [] }, "rooms", "unknown_field"],
    [{ type: "nights" }, "type", "wrong_word"],
    [{ type: "seats", sections: [{ rows: [] }] }, "sections[0].name", "missing_field"],
    [
      { type: "seats", sections: [{ name: "A", rows: [{ name: "A", seats: 1.5 }] }] },
      "sections[0].rows[0].seats",
      "wrong_kind",
    ],
    [
      { type: "seats", sections: [{ name: "A", curve: 181 }] },
      "sections[0].curve",
      "out_of_bounds",
    ],
    [
      { type: "seats", pools: [{ unit: "x\u0000", capacity: 1 }] },
      "pools[0].unit",
      "wrong_characters",
    ],
    [
      { type: "seats", categories: [{ name: "a", color: "red" }] },
      "categories[0].color",
      "wrong_kind",
    ],
    [{ type: "seats", shapes: [{ kind: "circle" }] }, "shapes[0]", "wrong_word"],
    [{ type: "seats", focus: [1] }, "focus", "wrong_kind"],
    [
      { type: "seats", translations: [{ language: "de" }] },
      "translations[0].words",
      "missing_field",
    ],
    [
      { type: "seats", translations: [{ language: "de", words: { a: 1 } }] },
      "translations[0].words.a",
      "wrong_kind",
    ],
    [
      { type: "seats", translations: [{ language: "de", words: { "": "x" } }] },
      "translations[0].words.",
      "wrong_length",
    ],
    [{ type: "seats", __proto__x: 1 }, "__proto__x", "unknown_field"],
    [[], "", "wrong_kind"],
    [null, "", "wrong_kind"],
  ])("refuses %j at %s", (document, path, code) => {
    expect(faultOf(document)).toMatchObject({ path, code });
  });

  it("refuses what is no JSON", () => {
    expect(readText("{")).toMatchObject({ faults: [{ code: "no_json" }] });
  });
});
