import { expect, test } from "vitest";
import type { Film } from "~/api/schema";
import type { SeatsPlan } from "~/seatmap/plan";
import { filmChange, filmDraft, filmFaults, newFilm } from "./filmDraft";
import { screenCategories } from "./categories";
import { NEW_SHOWS, newShow, showFaults, SHOWS_MAX, showTimes } from "./showDraft";

const FILM = {
  title: "Iron Monsoon",
  original_title: null,
  minutes: 154,
  released: "2099-05-08",
  rating: "16+",
  genres: ["Action"],
  languages: [],
  formats: [],
  director: "Rudra Velankar",
  cast: ["Arjan Malhotre"],
  tagline: "",
  synopsis: "",
} as unknown as Film;

test("of a film only what was changed is sent, also what was emptied", () => {
  const draft = { ...filmDraft(FILM), rating: " ", genres: "Action\n\n Drama \nDrama" };
  expect(filmChange(FILM, draft)).toEqual({ rating: "", genres: ["Action", "Drama"] });
  expect(filmChange(FILM, filmDraft(FILM))).toEqual({});
});

test("what a film lacks is said before it is sent", () => {
  expect(filmFaults(filmDraft(null))).toEqual(["title", "minutes", "released"]);
  const long = { ...filmDraft(FILM), genres: "x".repeat(41), minutes: "1001" };
  expect(filmFaults(long)).toEqual(["minutes", "genres"]);
  expect(newFilm(filmDraft(FILM))).toMatchObject({ minutes: 154, original_title: null });
});

test("shows are at each time of each chosen day, in their order, and no more than can be made", () => {
  const draft = { ...NEW_SHOWS, from: "2030-03-04", clocks: ["19:30", "", "16:00", "19:30"] };
  expect(showTimes(draft)).toEqual(["2030-03-04T16:00", "2030-03-04T19:30"]);
  const week = showTimes({
    ...draft,
    until: "2030-03-10",
    days: ["mon", "sun"],
    clocks: ["20:00"],
  });
  expect(week).toEqual(["2030-03-04T20:00", "2030-03-10T20:00"]);
  expect(showTimes({ ...draft, until: "9999-12-31" })).toHaveLength(SHOWS_MAX);
  expect(showTimes({ ...draft, until: "2030-03-03" })).toEqual([]);
  expect(showTimes({ ...draft, from: "" })).toEqual([]);
});

test("prices are typed in whole units, and those of the screen stand until then", () => {
  const plan = {
    type: "seats",
    pools: [{ unit: "floor", capacity: 5, category: "front" }],
    categories: [{ name: "front", price: 18_000 }],
  } as unknown as SeatsPlan;
  expect(screenCategories(plan, "INR")).toEqual([{ name: "front", price: "180.00" }]);
  const categories = [
    { name: "front", price: "180" },
    { name: "back", price: "" },
  ];
  const draft = { ...NEW_SHOWS, screen: "scr_1", from: "2030-03-04", clocks: ["16:00"] };
  const faults = showFaults({ ...draft, language: "Hindi" }, categories, "INR");
  expect(faults).toEqual(["prices.back"]);
  const paid = { payment: "at_venue" as const, prices: { back: "240.50" } };
  const whole = { ...draft, ...paid, language: " Hindi " };
  expect(showFaults(whole, categories, "INR")).toEqual([]);
  expect(newShow("flm_1", whole, categories, "INR", "2030-03-04T16:00")).toEqual({
    film: "flm_1",
    screen: "scr_1",
    starts_at: "2030-03-04T16:00",
    language: "Hindi",
    subtitles: null,
    format: "2D",
    prices: { front: 18_000, back: 24_050 },
    payment: "at_venue",
    published: false,
  });
});
