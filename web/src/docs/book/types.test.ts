// Types, limits and defaults in a few words.
import { expect, test } from "vitest";
import type { Schema, Schemas } from "./openapi";
import { limitsOf, typeOf, withoutDefault, wordsOf } from "./types";

const schemas: Schemas = {
  Line: { type: "object", properties: {} },
  State: { enum: ["held", "booked"] },
};
const line: Schema = { $ref: "#/components/schemas/Line" };
const state: Schema = { $ref: "#/components/schemas/State" };
const said = (schema: Schema) =>
  typeOf(schema, schemas)
    .map(({ text, object }) => (object === null ? text : `[${text}]`))
    .join("");

test.each<[Schema, string]>([
  [{ type: "string" }, "text"],
  [{ type: "string", format: "date-time" }, "time"],
  [{ type: "integer" }, "integer"],
  [{ type: "array", items: line }, "list of [Line]"],
  [{ anyOf: [line, { type: "null" }] }, "[Line] or null"],
  [{ anyOf: [{ type: "integer" }, { type: "string" }] }, "integer or text"],
  [{ type: "object", additionalProperties: { type: "integer" } }, "map of integer"],
  [state, "text"],
  [{}, "anything"],
])("%j is said to be %s", (schema, words) => {
  expect(said(schema)).toBe(words);
});

test("the words of a field are told, also those of a list of them", () => {
  expect(wordsOf(state, schemas)).toEqual(["held", "booked"]);
  expect(wordsOf({ type: "array", items: state }, schemas)).toEqual(["held", "booked"]);
  expect(wordsOf({ anyOf: [{ const: 5 }, { type: "null" }] }, schemas)).toEqual(["5"]);
  expect(wordsOf(line, schemas)).toEqual([]);
});

test("limits are told once", () => {
  expect(limitsOf({ minimum: 1, maximum: 1000 })).toEqual(["1 to 1,000"]);
  expect(limitsOf({ minItems: 2, maxItems: 2 })).toEqual(["2 entries"]);
  expect(limitsOf({ anyOf: [{ maxLength: 5 }, { type: "null" }] })).toEqual([
    "at most 5 characters",
  ]);
  expect(limitsOf({ minimum: 3 })).toEqual(["at least 3"]);
});

test("the default is taken out of a description", () => {
  expect(withoutDefault('A currency. Default: "EUR"')).toEqual({
    text: "A currency.",
    value: '"EUR"',
  });
  expect(withoutDefault("Default: 3")).toEqual({ text: "", value: "3" });
  expect(withoutDefault()).toEqual({ text: "", value: null });
});
