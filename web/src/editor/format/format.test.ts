// Files: what is opened and written again unedited is the same document, and nonsense is refused with
// its place.
import fc from "fast-check";
import { readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { isRecord } from "~/api/client";
import type { SeatsPlan } from "~/seatmap/plan";
import { seatRows } from "~/seatmap/seats";
import vectors from "~/seatmap/vectors.json";
import { problemsOf } from "../document/problems";
import { anyPlan } from "../plans";
import { makeRoomPlan, TEMPLATES } from "../templates";
import { CsvFault, linesOf } from "./csvCells";
import { readCsv } from "./csvRead";
import { unsayable, writeCsv } from "./csvWrite";
import { PLAN, type Form, type Kind } from "./shape";
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

function csvFault(text: string): CsvFault {
  try {
    readCsv(text);
  } catch (error) {
    if (error instanceof CsvFault) return error;
    throw error;
  }
  throw new Error("it was read");
}

/** Every unit with all that CSV says of it. */
function seatsOf(plan: SeatsPlan) {
  const seats = seatRows(plan).flatMap((row) =>
    row.spots.map(({ unit, category, access, companionOf, breaks }, at) => ({
      unit,
      category,
      access,
      companionOf,
      breaks: at > 0 && breaks,
    })),
  );
  const whole = (plan.sections ?? []).flatMap((section) =>
    (section.tables ?? [])
      .filter((table) => table.whole)
      .map((table) => [
        (section.prefix ?? "") + table.name,
        table.seats,
        table.category ?? section.category ?? "standard",
      ]),
  );
  const pools = (plan.pools ?? []).map(({ unit, capacity, category }) => [
    unit,
    capacity,
    category ?? null,
  ]);
  return {
    seats: seats.sort((one, other) => (one.unit < other.unit ? -1 : 1)),
    whole: whole.sort(),
    pools,
  };
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

describe("the form", () => {
  const schema: unknown = JSON.parse(docs("seatmap.schema.json"));
  const definition = (name: string) => at(schema, "$defs", name);
  const at = (value: unknown, ...path: string[]): unknown =>
    path.reduce<unknown>((found, name) => (isRecord(found) ? found[name] : undefined), value);

  const compare = (form: Form, own: unknown) => {
    const fields = at(own, "properties");
    expect(Object.keys(form.fields).sort()).toEqual(
      Object.keys(isRecord(fields) ? fields : {}).sort(),
    );
    const required = at(own, "required");
    const tagged =
      form.fields["kind"] &&
      Array.isArray(required) &&
      !required.includes("kind") &&
      form.needed.includes("kind");
    const needed = tagged ? form.needed.filter((name) => name !== "kind") : form.needed;
    expect([...needed].sort()).toEqual([...(Array.isArray(required) ? required : [])].sort());
    for (const [name, kind] of Object.entries(form.fields)) compareKind(kind, at(fields, name));
  };
  const compareKind = (kind: Kind, own: unknown): void => {
    const any = at(own, "anyOf");
    if ("nullable" in kind && kind.nullable) {
      expect(Array.isArray(any)).toBe(true);
      return compareKind({ ...kind, nullable: false }, Array.isArray(any) ? any[0] : null);
    }
    const name = at(own, "$ref");
    if (typeof name === "string")
      return compareKind(kind, definition(name.replace("#/$defs/", "")));
    switch (kind.is) {
      case "number":
      case "integer":
        expect([at(own, "minimum"), at(own, "maximum"), at(own, "type")]).toEqual([
          kind.least,
          kind.most,
          kind.is,
        ]);
        return;
      case "text":
        expect([at(own, "minLength") ?? 0, at(own, "maxLength")]).toEqual([kind.least, kind.most]);
        return;
      case "word":
        expect([...kind.of].sort()).toEqual(at(own, "enum"));
        return;
      case "list":
        expect(at(own, "maxItems")).toBe(kind.most);
        return compareKind(kind.of, at(own, "items"));
      case "fields":
        return compare(kind.of, own);
      case "oneOf":
        for (const [tag, form] of Object.entries(kind.of)) {
          const ref = at(own, "discriminator", "mapping", tag);
          compare(form, definition(String(ref).replace("#/$defs/", "")));
        }
        return;
      default:
        return;
    }
  };

  it("is that of the engine's schema", () => {
    compare(PLAN, definition("SeatsPlan"));
  });
});

describe("CSV", () => {
  it("says the same seats when it is read again", () => {
    fc.assert(
      fc.property(anyPlan, (plan) => {
        expect(unsayable(plan)).toBeNull();
        const again = readCsv(writeCsv(plan));
        expect(seatsOf(again)).toEqual(seatsOf(plan));
        expect(readDocument(again)).toEqual({ plan: again });
      }),
    );
  });

  it("reads the example of the reference", () => {
    const example = /```text\n(section[\s\S]*?)```/u.exec(docs("seat-map.md"))?.[1] ?? "";
    const plan = readCsv(example);
    expect(plan.sections?.[0]?.rows).toEqual([
      { name: "A", seats: 3, accessible: [1], companions: [{ seat: 2, of: 1 }] },
      { name: "B", seats: 1, category: "standard" },
    ]);
    expect(plan.categories).toEqual([
      { name: "premium", price: 4500 },
      { name: "standard", price: 3000 },
    ]);
  });

  it("reads quotes, semicolons, and lines that end as on other systems", () => {
    const lines = [...linesOf('\ufeffa;b\r\n"x;""y""\nz";2\r\n')];
    expect(lines).toEqual([
      { number: 1, cells: ["a", "b"] },
      { number: 3, cells: ['x;"y"\nz', "2"] },
    ]);
  });

  it.each([
    ["section,row\n", 1, "seat", "needed_column"],
    ["section,row,seat,color\n", 1, "color", "unknown_column"],
    ["section,row,seat\nA,A,1\nA,A,1\n", 3, "seat", "unit_twice"],
    ["section,row,seat\nA,,1\n", 2, "row", "seat_has_row"],
    ["section,row,seat,x\nA,A,1,3\n", 2, "y", "half_place"],
    ["section,row,seat,companion_of\nA,A,1,2\n", 2, "companion_of", "nobody"],
    ["section,row,seat,accessible\nA,A,1,perhaps\n", 2, "accessible", "wrong_value"],
    ["section,row,seat,category,price\nA,A,1,a,5\nA,A,2,a,6\n", 3, "price", "price_differs"],
    ["section,row,seat,table\nA,T,2,shared\n", 2, "seat", "table_counts"],
    ['section,row,seat\nA,"A,1\n', 2, "seat", "no_csv"],
    ["section,row,seat\nA,A,1,9\n", 2, "seat", "too_many_cells"],
  ])("refuses %j in line %d, column %s", (text, line, column, code) => {
    expect(csvFault(text)).toMatchObject({ line, column, code });
  });
});

describe("templates", () => {
  const words = {
    screen: "Screen",
    stage: "Stage",
    board: "Board",
    front: "Front",
    stalls: "Stalls",
    back: "Back",
    balcony: "Balcony",
    block: "Block",
    hall: "Hall",
    room: "Room",
  };

  it.each(TEMPLATES.filter((name) => name !== "empty"))(
    "%s has exactly as many seats as asked",
    (name) => {
      fc.assert(
        fc.property(fc.integer({ min: 1, max: 2500 }), (seats) => {
          const plan = makeRoomPlan(name, seats, words);
          expect(seatRows(plan).reduce((sum, row) => sum + row.spots.length, 0)).toBe(seats);
          expect(faultOf(plan)).toBeNull();
          expect(problemsOf(plan).filter((problem) => problem.isError)).toEqual([]);
        }),
        { numRuns: 25 },
      );
    },
  );
});
