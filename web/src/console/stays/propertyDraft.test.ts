// What the form of a property sends.
import { describe, expect, it } from "vitest";
import type { MerchantView, Property } from "~/api/schema";
import {
  newPropertyDraft,
  propertyDraft,
  propertyFaults,
  propertyOf,
  readDegrees,
} from "./propertyDraft";

const MERCHANT = { country: "DE", time_zone: "Europe/Berlin" } as MerchantView;
const PROPERTY = {
  id: "prp_1",
  ref: "harbour",
  name: "Haus am Hafen",
  kind: "guesthouse",
  stars: 3,
  address: "Hafenstraße 1",
  city: "Hamburg",
  country: "DE",
  lat: 53.5453,
  lon: -9.969,
  time_zone: "Europe/Berlin",
  check_in_time: "15:00",
  check_out_time: "11:00",
  summary: "",
  description: "One.\n\nTwo.",
  house_rules: "No smoking.",
  amenities: ["wifi", "sauna"],
  languages: ["de", "en"],
  website: null,
  rated_elsewhere: { rating: 8.7, ratings: 1204, source: "Guest survey" },
  listings: 1,
  translations: [{ language: "de", words: { "No smoking.": "Nicht rauchen.", Old: "Alt" } }],
} as unknown as Property;

describe("a property", () => {
  it("is sent as it was, where nothing was changed", () => {
    const { id: _id, listings: _listings, ...said } = PROPERTY;
    expect(propertyOf(propertyDraft(PROPERTY), PROPERTY)).toEqual(said);
  });

  it("begins in the merchant's country, and says what is missing", () => {
    const draft = newPropertyDraft(MERCHANT);
    expect([draft.country, draft.zone]).toEqual(["DE", "Europe/Berlin"]);
    expect(propertyFaults(draft)).toEqual(["name", "lat", "lon"]);
    expect(propertyFaults({ ...draft, name: "A", lat: "91", lon: "180", zone: "" })).toEqual([
      "lat",
      "zone",
    ]);
  });

  it("takes languages with commas or spaces", () => {
    const draft = { ...propertyDraft(PROPERTY), languages: " de,en  fr ; " };
    expect(propertyOf(draft, PROPERTY).languages).toEqual(["de", "en", "fr"]);
  });
});

describe("a rating from elsewhere", () => {
  const rated = (rating: string, ratings: string, ratingSource: string) => ({
    ...propertyDraft(PROPERTY),
    rating,
    ratings,
    ratingSource,
  });

  it("has its figures and its source, or nothing", () => {
    expect(propertyOf(rated("9,1", "12", " Survey "), PROPERTY).rated_elsewhere).toEqual({
      rating: 9.1,
      ratings: 12,
      source: "Survey",
    });
    expect(propertyOf(rated("", "", ""), PROPERTY).rated_elsewhere).toBeNull();
    expect(propertyFaults(rated("", "", " "))).toEqual([]);
    expect(propertyFaults(rated("11", "0", ""))).toEqual(["rating", "ratings", "ratingSource"]);
  });
});

describe("degrees", () => {
  it("are numbers with a point or a comma", () => {
    expect(["53,5", " -9.25 ", "90"].map((text) => readDegrees(text, 90))).toEqual([
      53.5, -9.25, 90,
    ]);
  });

  it("are read as the API answered them, to the last digit", () => {
    for (const value of [-5.4799999999999969, 0.1 + 0.2, 1.5e-7, -5e-324])
      expect(readDegrees(String(value), 90)).toBe(value);
  });

  it("are nothing else", () => {
    for (const text of ["", "north", "90.1", "1e3", "5.", "1,2,3"])
      expect(readDegrees(text, 90)).toBeNull();
  });
});
