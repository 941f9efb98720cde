// A waitlist between the form and the API.
import { expect, test } from "vitest";
import type { Waitlist } from "~/api/schema";
import {
  listFaults,
  listOf,
  newListDraft,
  numbersOf,
  rulesChange,
  rulesDraft,
  rulesFaults,
} from "./listDraft";

const LIST: Waitlist = {
  id: "wtl_1",
  resource_ids: ["res_1"],
  state: "open",
  policy: "strict",
  window: 20,
  passes_max: null,
  decide_seconds: 1800,
  owner_entries_max: 1,
  entries_max: 10_000,
  party_max: 20,
  freed_goes_to: "waitlist",
  exchange: "none",
  waiting: 0,
  offered: 0,
  version: 1,
  created_at: "2030-01-01T12:00:00Z",
  updated_at: "2030-01-01T12:00:00Z",
};
const SHOW = { id: "res_1", name: "The Lantern" };

test("a new list wants a show, and has the rules that the API has by itself", () => {
  expect(listFaults(newListDraft())).toEqual(["resources"]);
  expect(listOf(newListDraft())).toBeNull();
  expect(listOf(newListDraft([SHOW]))).toEqual({
    resource_ids: ["res_1"],
    policy: "strict",
    passes_max: null,
    decide_seconds: 1800,
    party_max: 20,
    owner_entries_max: 1,
    entries_max: 10_000,
    freed_goes_to: "waitlist",
    exchange: "none",
  });
});

test("how far is looked for the largest party is asked where it counts", () => {
  expect(numbersOf({ policy: "strict" })).not.toContain("window");
  const fits = { ...newListDraft([SHOW]), policy: "best_fit", window: "5" } as const;
  expect(listOf(fits)).toMatchObject({ policy: "best_fit", window: 5 });
  expect(rulesFaults({ ...fits, window: "0" })).toEqual(["window"]);
  expect(rulesFaults({ ...fits, policy: "lottery", window: "0" })).toEqual([]);
});

test.each([
  ["decideMinutes", "0"],
  ["decideMinutes", "1441"],
  ["partyMax", "1001"],
  ["ownerEntriesMax", "101"],
  ["entriesMax", "1000001"],
  ["passesMax", "1001"],
  ["passesMax", "often"],
] as const)("%s is not %s", (name, text) => {
  expect(rulesFaults({ ...rulesDraft(LIST), [name]: text })).toEqual([name]);
  expect(rulesChange(LIST, { ...rulesDraft(LIST), [name]: text })).toBeNull();
});

test("only what was changed is sent", () => {
  const draft = rulesDraft(LIST);
  expect(rulesChange(LIST, draft)).toBeNull();
  expect(rulesChange(LIST, { ...draft, exchange: "free", passesMax: "3" })).toEqual({
    exchange: "free",
    passes_max: 3,
  });
  const fits = rulesChange(LIST, { ...draft, policy: "best_fit" });
  expect(fits, "the window is what it was").toEqual({ policy: "best_fit" });
});

test("seconds to decide that the form has no field for stay", () => {
  const list = { ...LIST, decide_seconds: 90 };
  const draft = rulesDraft(list);
  expect(rulesChange(list, { ...draft, goesTo: "anyone" })).toEqual({ freed_goes_to: "anyone" });
  expect(rulesChange(list, { ...draft, decideMinutes: "5" })).toEqual({ decide_seconds: 300 });
});
