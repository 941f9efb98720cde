// The drafts of cities, cinemas and screens, and the translations of a film.
import { expect, test } from "vitest";
import type { Cinema, City, Film, Screen } from "~/api/schema";
import type { SeatsPlan } from "~/seatmap/plan";
import { rowsPlan } from "../plans/roomPlan";
import type { PlacedScreen } from "./calls";
import {
  cinemaChange,
  cinemaDraft,
  cinemaFaults,
  cinemaOwn,
  newCinema,
  newCinemaDraft,
} from "./cinemaDraft";
import { isOver } from "../saving/changes";
import { cityChange, cityDraft, cityFaults, newCity } from "./cityDraft";
import { filmChange, filmDraft, filmOwn, wordField } from "./filmDraft";
import {
  featureField,
  NEW_SCREEN,
  newScreen,
  placeField,
  screenChange,
  screenDraft,
  screenFaults,
} from "./screenDraft";

const CITY: City = {
  id: "cty_1",
  name: "Pune",
  country: "IN",
  time_zone: "Asia/Kolkata",
  currency: "INR",
  cinemas: 1,
  shows: 0,
};
const CINEMA: Cinema = {
  id: "cin_1",
  name: "Lotus",
  address: "14 Lotus Chowk",
  city: { id: "cty_1", name: "Pune" },
  time_zone: "Asia/Kolkata",
  screens: 1,
  translations: [{ language: "de", words: { Lotus: "Lotos", Fee: "Gebühr" } }],
};
const PLAN = {
  ...rowsPlan({
    rows: "3",
    seats: "4",
    front: "1",
    first: "Front",
    second: "Back",
    stage: { kind: "screen" },
  }),
  categories: [{ name: "Front", price: 10_000, rank: 2 }, { name: "Back" }],
} as unknown as SeatsPlan & NonNullable<Screen["plan"]>;
const SCREEN: Screen = {
  id: "scr_1",
  cinema: { id: "cin_1", name: "Lotus" },
  name: "One",
  features: ["Bar"],
  cleaning_minutes: 15,
  seats: 12,
  accessible: false,
  plan: PLAN,
};
const PLACED: PlacedScreen = { screen: SCREEN, zone: "Asia/Kolkata", currency: "INR" };

test("a city says its clocks and its currency once, and then only what was changed", () => {
  const draft = { ...cityDraft(CITY), name: " Poona " };
  expect(newCity({ ...draft, currency: " inr" })).toEqual({
    name: "Poona",
    country: "IN",
    time_zone: "Asia/Kolkata",
    currency: "INR",
    translations: [],
  });
  expect(cityChange(CITY, draft)).toEqual({ name: "Poona" });
  expect(cityFaults({ ...draft, name: " ", country: "", zone: "", currency: "€" })).toEqual([
    "name",
    "country",
    "zone",
    "currency",
  ]);
});

test("the translation of a cinema's name goes along, and words of other texts stay as they are now", () => {
  const draft = { ...cinemaDraft(CINEMA, "INR"), name: "Lily" };
  const now = { ...CINEMA, translations: [{ language: "ar", words: { Fee: "رسم" } }] };
  expect(cinemaChange(CINEMA, draft, "INR", now)).toEqual({
    name: "Lily",
    translations: [
      { language: "ar", words: { Fee: "رسم" } },
      { language: "de", words: { Lily: "Lotos" } },
    ],
  });
  expect(cinemaChange(CINEMA, cinemaDraft(CINEMA, "INR"), "INR", now)).toEqual({});
  expect(cinemaFaults(newCinemaDraft(""), "")).toEqual(["city", "name"]);
  expect(newCinema({ ...newCinemaDraft("cty_1"), name: "Lotus " }, "INR")).toMatchObject({
    city: "cty_1",
    name: "Lotus",
  });
});

test("fees and taxes of a cinema are sent only where they were changed, and their codes stay", () => {
  const codes = [{ code: "SPRING", capacity: 5, basis_points: 1000, units: ["floor"] }];
  const pricing = { fees: [{ name: "Fee", amount: 5000 }], codes };
  const found: Cinema = { ...CINEMA, pricing };
  const draft = cinemaDraft(found, "INR");
  expect(draft.translated["de"]).toEqual({ name: "Lotos", "fee Fee": "Gebühr" });
  expect(cinemaChange(found, draft, "INR")).toEqual({});
  const fees = draft.terms.fees.map((fee) => ({ ...fee, amount: "7.50" }));
  const dearer = { ...draft, terms: { ...draft.terms, fees } };
  expect(cinemaChange(found, dearer, "INR")).toEqual({
    pricing: expect.objectContaining({
      fees: [expect.objectContaining({ name: "Fee", amount: 750 })],
      codes: [expect.objectContaining(codes[0])],
    }) as object,
  });
  const free = { ...draft, terms: { ...draft.terms, fees: [], codes: [] } };
  expect(cinemaChange(found, free, "INR")).toMatchObject({ pricing: null });
  const much = fees.map((fee) => ({ ...fee, amount: "much" }));
  const wrong = { ...draft, terms: { ...draft.terms, fees: much } };
  expect(cinemaFaults(wrong, "INR")).toEqual(["fees.0.amount"]);
});

test("what others changed of a cinema's pricing is seen, and what is there already is nobody's", () => {
  const of = (amount: number): Cinema => ({
    ...CINEMA,
    pricing: { fees: [{ name: "Fee", amount }] },
  });
  const draft = { ...cinemaDraft(of(900), "INR") };
  const change = cinemaChange(of(500), draft, "INR");
  const own = (cinema: Cinema) => cinemaOwn(cinema, "INR");
  expect(isOver(own(of(500)), own(of(700)), change)).toBe(true);
  expect(isOver(own(of(500)), own(of(900)), change)).toBe(false);
  expect(isOver(own(of(500)), own({ ...of(500), name: "Lily" }), change)).toBe(false);
});

test("a new screen has its usual prices in its plan", () => {
  const draft = { ...NEW_SCREEN, name: "One", features: "Bar\nBar", prices: { Back: "250,50" } };
  const { plan, features, cleaning_minutes: cleaning } = newScreen("cin_1", draft, PLAN, "INR");
  expect(plan.categories).toEqual([
    { name: "Front", price: 10_000, rank: 2 },
    { name: "Back", price: 25_050 },
  ]);
  expect([features, cleaning]).toEqual([["Bar"], 15]);
});

test("a plan that lists no categories lists them with the first price", () => {
  const plan = { type: "seats", sections: PLAN.sections } as unknown as SeatsPlan;
  const draft = { ...NEW_SCREEN, name: "One", prices: { Front: "100" } };
  expect(newScreen("cin_1", draft, plan, "INR").plan.categories).toEqual([
    { name: "Front", price: 10_000 },
    { name: "Back" },
  ]);
  expect(newScreen("cin_1", { ...draft, prices: {} }, plan, "INR").plan).toBe(plan);
});

test("of a screen a price goes into the plan as it is now; what was typed back is none", () => {
  const draft = screenDraft(PLACED);
  expect(screenChange(PLACED, { ...draft, prices: { Front: "100.00", Back: "" } })).toEqual({});
  const drawn = { ...PLAN, stage: null, categories: [{ name: "Back", price: 1 }] };
  const now = { ...PLACED, screen: { ...SCREEN, plan: drawn as unknown as typeof PLAN } };
  expect(screenChange(PLACED, { ...draft, prices: { Back: "3" } }, now).plan).toEqual({
    ...drawn,
    categories: [{ name: "Back", price: 300 }],
  });
  const faults = screenFaults({ ...draft, cleaning: "x", prices: { Back: "x" } }, PLAN, "INR");
  expect(faults).toEqual(["cleaning", "prices.Back"]);
});

test("what a screen has and what its seats are called is translated with it", () => {
  const translated = { de: { [featureField("Bar")]: "Theke", [placeField("Back")]: "Hinten" } };
  expect(screenChange(PLACED, { ...screenDraft(PLACED), translated })).toEqual({
    translations: [{ language: "de", words: { Bar: "Theke", Back: "Hinten" } }],
  });
});

test("a film is translated with its genres and the languages of its shows", () => {
  const film = {
    title: "Iron Monsoon",
    original_title: null,
    minutes: 154,
    released: "2099-05-08",
    rating: "",
    genres: ["Action"],
    languages: ["Hindi"],
    formats: ["2D"],
    director: "",
    cast: [],
    tagline: "",
    synopsis: "",
    translations: [{ language: "de", words: { Action: "Abenteuer", Marathi: "Marathisch" } }],
  } as unknown as Film;
  const draft = filmDraft(film);
  expect(draft.translated).toEqual({ de: { [wordField("Action")]: "Abenteuer" } });
  expect(filmChange(film, draft)).toEqual({});
  const de = {
    ...draft.translated["de"],
    title: "Eisenmonsun",
    [wordField("Hindi")]: "Hindi-Film",
  };
  const change = filmChange(film, { ...draft, translated: { de } });
  expect(change).toEqual({
    translations: [
      {
        language: "de",
        words: {
          Marathi: "Marathisch",
          "Iron Monsoon": "Eisenmonsun",
          Action: "Abenteuer",
          Hindi: "Hindi-Film",
        },
      },
    ],
  });
  expect(filmOwn(film)).toMatchObject({ title: "Iron Monsoon", translations: film.translations });
});
