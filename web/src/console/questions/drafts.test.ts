import { expect, test } from "vitest";
import { newQuestion, questionDrafts, questionFaults, questionsOf, textsOf } from "./drafts";

const MEAL = {
  id: "meal",
  text: "Which meal?",
  choices: ["Soup", "Salad"],
  per: "ticket" as const,
  required: true,
};
const draft = (text: string, more: object = {}) => ({ ...newQuestion([]), text, ...more });

test("questions stay as they are through the form", () => {
  const note = { id: "note", text: "Note", choices: [], per: "booking" as const, required: false };
  expect(questionsOf(questionDrafts([MEAL, note]))).toEqual([MEAL, note]);
  expect(questionDrafts([{ id: "note", text: "Note" }])).toEqual([
    draft("Note", { id: "note", key: "note" }),
  ]);
});

test("a new question gets an id that can be read, and an old one keeps its own", () => {
  const drafts = [
    ...questionDrafts([MEAL]).map((one) => ({ ...one, text: "Your meal?" })),
    draft("Meal"),
    draft("Größe (T-Shirt)?"),
    draft("كيف سمعت عنا؟"),
    draft("2 seats?"),
    draft("  ?? "),
  ];
  const ids = questionsOf(drafts).map(({ id }) => id);
  expect(ids).toEqual(["meal", "meal-2", "gro-e-t-shirt", "question", "seats", "question-2"]);
  for (const id of ids) expect(id).toMatch(/^[a-z][a-z0-9_-]{0,39}$/);
});

test("choices are one a line, each once, and some there must be", () => {
  const choice = (choices: string) => draft("Meal", { kind: "choice", choices });
  expect(questionsOf([choice(" Soup \n\nSalad\n")])[0]?.choices).toEqual(["Soup", "Salad"]);
  expect(questionFaults([choice("Soup"), choice(" \n"), choice("Soup\nSoup ")])).toEqual([
    "1.choices",
    "2.choices",
  ]);
  expect(questionFaults([choice("x".repeat(101)), draft(" ")])).toEqual(["0.choices", "1.text"]);
  expect(questionsOf([draft("Note", { choices: "left over" })])[0]?.choices).toEqual([]);
});

test("a text keeps its name while it is typed anew, and others come and go", () => {
  const [meal] = questionDrafts([MEAL]);
  if (meal === undefined) throw new Error("one question, one draft");
  expect(Object.values(textsOf([meal]))).toEqual(["Which meal?", "Soup", "Salad"]);
  const anew = { ...meal, text: "Your meal?" };
  expect(Object.keys(textsOf([draft("Note"), anew]))).toEqual(
    expect.arrayContaining(Object.keys(textsOf([meal]))),
  );
});

test("each new question has a name of its own", () => {
  const one = newQuestion([]);
  const two = newQuestion([one]);
  const three = newQuestion([two]);
  expect(new Set([one, two, three].map(({ key }) => key)).size).toBe(3);
});
