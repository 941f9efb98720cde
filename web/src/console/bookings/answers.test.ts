// What was answered of a booking goes along with the one that takes its place.
import { expect, test } from "vitest";
import type { BookedLine } from "~/api/schema";
import { changedLines } from "~/shop/stays/changing";
import { keptAnswers } from "./answers";

const line = (
  resource_id: string,
  quantity: number | null,
  cancelled_quantity = 0,
): BookedLine => ({
  resource_id,
  unit: "101",
  quantity,
  cancelled_quantity,
  from: "2026-12-02",
  to: "2026-12-04",
});
const answer = (resource_id: string, question: string, ticket: number | null, said: string) => ({
  resource_id,
  question,
  ticket,
  answer: said,
});
const food = { id: "food", text: "What do you not eat?", per: "booking" as const };
const bed = { id: "bed", text: "Which bed?", per: "ticket" as const, choices: ["Wide", "Two"] };
const ASKING = [
  { id: "res_1", questions: [food, bed] },
  { id: "res_2", questions: [bed] },
];
const RANGE = { start: "2026-12-03", end: "2026-12-06" };

test("all of them, where all is still asked", () => {
  const booking = { lines: [line("res_1", null), line("res_2", 2)] };
  const said = [
    answer("res_1", "food", null, "Nuts"),
    answer("res_1", "bed", 1, "Wide"),
    answer("res_2", "bed", 3, "Two"),
  ];
  expect(keptAnswers(booking, changedLines(booking, RANGE), ASKING, said)).toEqual({
    kept: said,
    isAll: true,
  });
});

test("those of the tickets that are left, which have other numbers then", () => {
  const booking = { lines: [line("res_1", null, 1), line("res_2", 3, 1), line("res_1", null)] };
  const said = [
    answer("res_1", "bed", 1, "Wide"),
    answer("res_2", "bed", 2, "Two"),
    answer("res_2", "bed", 3, "Wide"),
    answer("res_2", "bed", 4, "Two"),
    answer("res_1", "bed", 5, "Two"),
  ];
  expect(keptAnswers(booking, changedLines(booking, RANGE), ASKING, said)).toEqual({
    kept: [
      answer("res_2", "bed", 1, "Two"),
      answer("res_2", "bed", 2, "Wide"),
      answer("res_1", "bed", 3, "Two"),
    ],
    isAll: true,
  });
});

test("not what is asked no more, or is none of the choices by now", () => {
  const booking = { lines: [line("res_1", null)] };
  const said = [answer("res_1", "food", null, "Nuts"), answer("res_1", "bed", 1, "Wide")];
  const lines = changedLines(booking, RANGE);
  const asking = [{ id: "res_1", questions: [{ ...bed, choices: ["Two"] }] }];
  expect(keptAnswers(booking, lines, asking, said)).toEqual({ kept: [], isAll: false });
  expect(keptAnswers(booking, lines, [], said)).toEqual({ kept: [], isAll: false });
});
