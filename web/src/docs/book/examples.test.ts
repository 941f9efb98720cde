// Examples of schemas, and texts for patterns.
import { expect, test } from "vitest";
import { exampleOf } from "./examples";
import type { Schema, Schemas } from "./openapi";
import { takes, textOf } from "./pattern";

const schemas: Schemas = {
  Tree: {
    type: "object",
    properties: {
      name: { type: "string" },
      below: { type: "array", items: { $ref: "#/components/schemas/Tree" } },
    },
    required: ["name", "below"],
  },
  State: { enum: ["held", "booked"] },
};
const of = (schema: Schema, name = "") => exampleOf(schema, schemas, name);

test.each([
  ["^key_[0-9a-hjkmnp-tv-z]{16}$"],
  ["^hold_[0-7][0-9a-hjkmnp-tv-z]{25}$"],
  ["^[A-Z]{3}$"],
  ["^[0-9a-f]{32}(\\.png)?$"],
  ["^[0-9]+\\.svg$"],
])("a text for %s is taken by it, or there is none", (pattern) => {
  const text = textOf(pattern);
  if (text !== null) expect(text).toMatch(new RegExp(pattern));
  else expect(pattern).toContain("(");
});

test("a pattern that no browser reads takes nothing, and breaks nothing", () => {
  expect(takes("(", "x")).toBe(false);
  expect(takes(String.raw`^a\"$`, 'a"')).toBe(true);
  expect(textOf("(a|b)")).toBeNull();
});

test("what the schema says comes first", () => {
  expect(of({ const: 3 })).toBe(3);
  expect(of({ $ref: "#/components/schemas/State" })).toBe("held");
  expect(of({ anyOf: [{ type: "null" }, { type: "boolean" }] })).toBe(false);
  expect(of({ type: "string", pattern: "^[A-Z]{3}$", examples: ["INR"] })).toBe("INR");
});

test("a field is known by its name, if its pattern takes that", () => {
  expect(of({ type: "string" }, "owner")).toBe("asha");
  expect(of({ type: "string" }, "expires_at")).toBe("2026-11-22T18:00:00Z");
  expect(of({ type: "string", pattern: "^[0-9]{2}$" }, "owner")).toMatch(/^\d\d$/);
});

test("numbers are within their limits", () => {
  expect(of({ type: "integer", minimum: 5 })).toBe(5);
  expect(of({ type: "integer", minimum: -3, maximum: 0 })).toBe(0);
});

test("what is made of itself ends", () => {
  const text = JSON.stringify(of({ $ref: "#/components/schemas/Tree" }));
  expect(text.match(/name/g)?.length).toBeLessThan(10);
});

test("of a body that needs nothing a simple field is shown", () => {
  expect(
    of({ type: "object", properties: { rows: { type: "array" }, note: { type: "string" } } }),
  ).toEqual({ note: "…" });
});
