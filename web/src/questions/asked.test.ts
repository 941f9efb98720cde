// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { answersOf, askedFields, keepTyped, keptTyped, missingAnswers, typedOf } from "./asked";

const MEAL = {
  id: "meal",
  text: "Which meal?",
  choices: ["Soup", "Salad"],
  per: "ticket" as const,
  required: true,
};
const NOTE = { id: "note", text: "Anything else?" };
const SHOW = { id: "res_1", questions: [MEAL, NOTE] };
const line = (resource_id: string, more: object = {}) => ({ resource_id, unit: "A1", ...more });

test("a question is asked once, or for each ticket", () => {
  const fields = askedFields([line("res_1", { unit: "floor", quantity: 2 })], [SHOW]);
  expect(fields.map(({ question, ticket, unit }) => [question.id, ticket, unit])).toEqual([
    ["note", null, null],
    ["meal", 1, "floor"],
    ["meal", 2, "floor"],
  ]);
});

test("tickets are numbered over the lines of all resources", () => {
  const lines = [line("res_2", { quantity: 3 }), line("res_1"), line("res_1")];
  const fields = askedFields(lines, [SHOW, { id: "res_2" }]);
  expect(fields.flatMap(({ ticket }) => ticket ?? [])).toEqual([4, 5]);
});

test("for what was given back nothing is asked", () => {
  const lines = [line("res_1", { cancelled_quantity: 1 }), line("res_1")];
  expect(askedFields(lines, [SHOW]).flatMap(({ ticket }) => ticket ?? [])).toEqual([2]);
});

test("answers are what was typed, without blanks and choices that are gone", () => {
  const fields = askedFields([line("res_1"), line("res_1")], [SHOW]);
  const keys = fields.map(({ key }) => key);
  const typed = {
    [keys[0] ?? ""]: "  no nuts ",
    [keys[1] ?? ""]: "Steak",
    [keys[2] ?? ""]: "Soup",
  };
  const answers = [
    { resource_id: "res_1", question: "note", ticket: null, answer: "no nuts" },
    { resource_id: "res_1", question: "meal", ticket: 2, answer: "Soup" },
  ];
  expect(answersOf(fields, typed)).toEqual(answers);
  expect(missingAnswers(fields, typed)).toEqual([keys[1]]);
  expect(answersOf(fields, typedOf(answers))).toEqual(answers);
});

test("a hold of very many tickets has no more fields than the server takes", () => {
  expect(askedFields([line("res_1", { quantity: 1_000_000 })], [SHOW])).toHaveLength(1000);
});

test("what was typed stays in the tab", () => {
  keepTyped("hold_1", { a: "b" });
  expect(keptTyped("hold_1")).toEqual({ a: "b" });
  expect(keptTyped("hold_2")).toEqual({});
});
