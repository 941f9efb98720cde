// Translations of a room: which names have them, that they go along with a name, and that undo brings
// back what was.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SeatsPlan } from "~/seatmap/plan";
import { faultsOf } from "../format/strict";
import { initialState, reduce, type Change } from "../state";
import { anyPlan } from "../testing/plans";
import { addCategory, changeCategory } from "./categories";
import { withFields } from "./parts";
import { problemsOf } from "./problems";
import {
  isTag,
  LETTERS_MAX,
  lettersOf,
  namesOf,
  renameWord,
  setWord,
  wordOf,
  WORDS_MAX,
} from "./translations";

const PLAN: SeatsPlan = {
  type: "seats",
  categories: [{ name: "gold" }, { name: "Stalls" }],
  sections: [
    {
      name: "Stalls",
      rows: [
        { name: "A", seats: 2 },
        { name: "Royal box", seats: 2 },
      ],
      category: "gold",
    },
    { name: "Hall", prefix: "H", tables: [{ name: "T1", seats: 4 }], category: "gold" },
  ],
  pools: [{ unit: "Floor", capacity: 5 }],
  stage: { label: "Stage" },
  shapes: [
    { kind: "text", text: "Bar", x: 1, y: 1 },
    { kind: "line", points: [] },
  ],
};
const GERMAN = { language: "de", words: { Stalls: "Parkett", Hall: "Saal" } };
const TRANSLATED: SeatsPlan = { ...PLAN, translations: [GERMAN] };

describe("the names of a room", () => {
  it("are each listed once, without those that are only a letter or a number", () => {
    expect(namesOf(PLAN)).toEqual([
      { kind: "sections", texts: ["Stalls", "Hall"] },
      { kind: "categories", texts: ["gold"] },
      { kind: "areas", texts: ["Floor"] },
      { kind: "labels", texts: ["Stage", "Bar"] },
      { kind: "rows", texts: ["Royal box"] },
    ]);
    expect(namesOf({ type: "seats" })).toEqual([]);
  });

  it("have the categories that are used where none is listed, but for the usual one", () => {
    const plan: SeatsPlan = {
      type: "seats",
      sections: [
        { name: "A", rows: [] },
        { name: "B", category: "box" },
      ],
    };
    expect(namesOf(plan)[1]).toEqual({ kind: "categories", texts: ["box"] });
  });
});

describe("a translation", () => {
  it("is kept by the name, and a language without any is not written down", () => {
    const made = setWord(setWord(PLAN, "de", "Hall", "Saal "), "ar", "Bar", "مقصف");
    expect(made.translations).toEqual([
      { language: "de", words: { Hall: "Saal" } },
      { language: "ar", words: { Bar: "مقصف" } },
    ]);
    const less = setWord(setWord(made, "DE", "Hall", ""), "ar", "Bar", "  ");
    expect(less).toEqual(PLAN);
    expect(setWord(PLAN, "de", "Hall", " ")).toBe(PLAN);
  });

  it("keeps the order of the others, and takes names that objects have anyway", () => {
    const made = setWord(TRANSLATED, "de", "Stalls", "Parterre");
    expect(Object.entries(made.translations?.[0]?.words ?? {})).toEqual([
      ["Stalls", "Parterre"],
      ["Hall", "Saal"],
    ]);
    expect(wordOf(TRANSLATED, "de", "constructor")).toBe("");
    const odd = setWord(TRANSLATED, "de", "__proto__", "Wort");
    expect(wordOf(odd, "de", "__proto__")).toBe("Wort");
  });

  it("goes along with a section, an area, a label and a category that are renamed", () => {
    const words = { Hall: "Saal", Floor: "Parterre", Bar: "Theke", Stage: "Bühne", gold: "Gold!" };
    let plan: SeatsPlan = { ...PLAN, translations: [{ language: "de", words }] };
    plan = withFields(plan, "section:1", { name: "Great hall" });
    plan = withFields(plan, "pool:0", { unit: "Pit" });
    plan = withFields(plan, "shape:0", { text: "Bistro" });
    plan = withFields(plan, "stage", { label: "Podium" });
    plan = changeCategory(plan, 0, { name: "Golden" });
    expect(plan.translations).toEqual([
      {
        language: "de",
        words: {
          "Great hall": "Saal",
          Pit: "Parterre",
          Bistro: "Theke",
          Podium: "Bühne",
          Golden: "Gold!",
        },
      },
    ]);
  });

  it("stays with what is still called so, and does not replace one that is there", () => {
    const one = withFields(TRANSLATED, "section:0", { name: "Ground" });
    expect(one.translations?.[0]?.words).toEqual({ ...GERMAN.words, Ground: "Parkett" });
    const other = renameWord({ ...TRANSLATED, sections: [{ name: "Hall" }] }, "Stalls", "Hall");
    expect(other.translations?.[0]?.words["Hall"]).toBe("Saal");
  });

  it("is typed in one step, which undo takes back and redo does again", () => {
    const act = (state: ReturnType<typeof initialState>, change: Change, tag: string) =>
      reduce(state, { is: "do", label: "translation", change, tag });
    let state = initialState(PLAN);
    for (const word of ["S", "Sa", "Saal"])
      state = act(state, (plan) => setWord(plan, "de", "Hall", word), "translation de Hall");
    state = act(state, (plan) => setWord(plan, "de", "Bar", "Theke"), "translation de Bar");
    state = reduce(state, { is: "undo" });
    expect(state.history.present.plan.translations?.[0]?.words).toEqual({ Hall: "Saal" });
    state = reduce(state, { is: "undo" });
    expect(state.history.present.plan).toBe(PLAN);
    state = reduce(state, { is: "redo" });
    expect(wordOf(state.history.present.plan, "de", "Hall")).toBe("Saal");
  });

  it("is read again as it was said, whatever the room and the word", () => {
    const word = fc.string({ minLength: 1, maxLength: 30 }).filter((said) => said.trim() === said);
    fc.assert(
      fc.property(anyPlan, fc.nat(), word, (plan, at, said) => {
        const texts = namesOf(plan).flatMap((names) => names.texts);
        const text = texts[at % texts.length] ?? "";
        const made = setWord(plan, "pt-BR", text, said);
        expect(wordOf(made, "PT-br", text)).toBe(said);
        expect(setWord(made, "pt-BR", text, "")).toEqual(plan);
        expect(faultsOf(made)).toEqual([]);
      }),
    );
  });
});

describe("the limits", () => {
  const codes = (plan: SeatsPlan) =>
    problemsOf(plan).flatMap((problem) => (problem.isError ? [problem.code] : []));

  it("are told where a file has more", () => {
    expect(codes({ ...PLAN, translations: [GERMAN, { ...GERMAN, language: "DE" }] })).toEqual([
      "language_twice",
    ]);
    const many = Array.from({ length: WORDS_MAX + 1 }, (_, at) => [`n${at}`, "w"] as const);
    expect(
      codes({ ...PLAN, translations: [{ ...GERMAN, words: Object.fromEntries(many) }] }),
    ).toEqual(["too_many_words"]);
    const long = Array.from({ length: 60 }, (_, at) => [`n${at}`, "ö".repeat(3999)] as const);
    const plan = { ...PLAN, translations: [{ ...GERMAN, words: Object.fromEntries(long) }] };
    expect(lettersOf(plan)).toBeGreaterThan(LETTERS_MAX);
    expect(codes(plan)).toEqual(["too_many_letters"]);
  });

  it("allow the tags of BCP 47", () => {
    for (const tag of ["de", "pt-BR", "zh-Hant-TW", "gsw"]) expect(isTag(tag)).toBe(true);
    for (const tag of ["", "d", "de_AT", "de-", "-de", "deutsch ", "x".repeat(36)])
      expect(isTag(tag)).toBe(false);
  });

  it("leave a new category without a translation", () => {
    const made = addCategory(TRANSLATED, "New");
    expect(made.translations).toBe(TRANSLATED.translations);
  });
});
