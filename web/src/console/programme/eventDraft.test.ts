// An event between the form and the API.
import { expect, test } from "vitest";
import type { Production } from "~/api/schema";
import { eventDraft, eventOf, performerField } from "./eventDraft";

const EVENT: Production = {
  id: "prd_1",
  title: "Four hands",
  kind: "concert",
  series: "Chamber music",
  performers: ["The Quartet", "Ana Reis"],
  summary: "",
  description: "",
  minutes: 90,
  age_from: null,
  website: null,
  picture: null,
  picture_text: null,
  next_performance: null,
  performances: 0,
  price_from: null,
  units_free: 0,
  state: "none",
  venues: [],
  archived: false,
  translations: [
    {
      language: "de",
      words: {
        "Four hands": "Vierhändig",
        "Chamber music": "Kammermusik",
        "The Quartet": "Das Quartett",
        Elsewhere: "Anderswo",
      },
    },
  ],
};

test("what an event is called elsewhere is read with its series and its performers", () => {
  expect(eventDraft(EVENT).translated).toEqual({
    de: {
      title: "Vierhändig",
      series: "Kammermusik",
      [performerField("The Quartet")]: "Das Quartett",
    },
  });
});

test("an untouched form sends the translations as they are, also those of other texts", () => {
  expect(eventOf(eventDraft(EVENT), EVENT).translations).toEqual([
    {
      language: "de",
      words: {
        Elsewhere: "Anderswo",
        "Four hands": "Vierhändig",
        "Chamber music": "Kammermusik",
        "The Quartet": "Das Quartett",
      },
    },
  ]);
});

test("a translation follows its series, stays with its performer, and leaves with them", () => {
  const draft = eventDraft(EVENT);
  const moved = { ...draft, series: "Quartets", performers: "Ana Reis\n\n The Quartet \nAna Reis" };
  expect(eventOf(moved, EVENT).translations).toEqual([
    {
      language: "de",
      words: {
        Elsewhere: "Anderswo",
        "Four hands": "Vierhändig",
        Quartets: "Kammermusik",
        "The Quartet": "Das Quartett",
      },
    },
  ]);
  const gone = eventOf({ ...draft, series: "", performers: "Ana Reis" }, EVENT).translations;
  expect(gone?.[0]?.words).toEqual({ Elsewhere: "Anderswo", "Four hands": "Vierhändig" });
});
