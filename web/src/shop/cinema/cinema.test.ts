import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { City } from "~/api/schema";
import { nearestCity, offsetMinutes } from "./nearest";
import { countOfFilters, filtersOf, NO_FILTERS, searchOf } from "./filters";
import { fullnessOf, takenShare } from "./fullness";
import ar from "./words/ar.json";
import de from "./words/de.json";
import en from "./words/en.json";

const city = (id: string, time_zone: string, shows = 10): City => ({
  id,
  name: id,
  country: "XX",
  currency: "EUR",
  time_zone,
  cinemas: 1,
  shows,
});
const CITIES = [
  city("pune", "Asia/Kolkata", 40),
  city("mumbai", "Asia/Kolkata", 90),
  city("berlin", "Europe/Berlin"),
  city("lisbon", "Europe/Lisbon"),
];

test("the city is found by the zone, then by the nearest clocks", () => {
  const at = new Date("2026-11-21T12:00:00Z");
  expect(nearestCity(CITIES, "Asia/Kolkata", at)?.id).toBe("mumbai");
  expect(nearestCity(CITIES, "Europe/Paris", at)?.id).toBe("berlin");
  expect(nearestCity(CITIES, "Atlantic/Azores", at)?.id).toBe("lisbon");
  expect(nearestCity([...CITIES, city("x", "Not/AZone")], "Not/AZone2", at)?.id).toBe("lisbon");
  expect(nearestCity([], "UTC", at)).toBeUndefined();
});

test("a city without shows is the last choice", () => {
  const at = new Date();
  expect(nearestCity([city("empty", "UTC", 0), city("far", "Asia/Tokyo")], "UTC", at)?.id).toBe(
    "far",
  );
});

test("offsets of half hours and of the other side of the world", () => {
  const at = new Date("2026-11-21T12:00:00Z");
  expect(offsetMinutes("Asia/Kolkata", at)).toBe(330);
  expect(offsetMinutes("America/St_Johns", at)).toBe(-210);
  expect(offsetMinutes("UTC", at)).toBe(0);
});

test("filters go into the address and come back", () => {
  const text = fc
    .string({ maxLength: 20, unit: "grapheme-composite" })
    .map((one) => one.replaceAll("\0", ""));
  const filters = fc.record({
    city: fc.constantFrom("", "cty_7bzx12"),
    date: fc.constantFrom("", "2026-11-21"),
    language: text,
    format: text,
    genre: text,
    accessible: fc.boolean(),
    q: text,
  });
  fc.assert(
    fc.property(filters, (one) => {
      expect(filtersOf(searchOf(one))).toEqual(one);
    }),
  );
});

test("what makes no sense in an address is as good as absent", () => {
  expect(filtersOf("?date=2026-02-30&city=<script>&accessible=yes&unknown=1")).toEqual(NO_FILTERS);
  expect(filtersOf(`q=${"x".repeat(500)}`).q).toHaveLength(100);
  expect(searchOf(NO_FILTERS)).toBe("");
});

test("place and day are no filters that a visitor would clear", () => {
  expect(countOfFilters({ ...NO_FILTERS, city: "cty_1", date: "2026-11-21" })).toBe(0);
  expect(countOfFilters({ ...NO_FILTERS, language: "Hindi", accessible: true, q: "x" })).toBe(3);
});

test("how full a show is", () => {
  const show = { state: "on_sale", units_total: 300, units_free: 300 };
  expect(fullnessOf(show)).toBe("plenty");
  expect(fullnessOf({ ...show, units_free: 36 })).toBe("few");
  expect(fullnessOf({ ...show, units_free: 0 })).toBe("sold_out");
  expect(fullnessOf({ ...show, state: "called_off" })).toBe("closed");
  expect(fullnessOf({ ...show, state: "not_yet" })).toBe("not_yet");
  expect(takenShare({ units_total: 300, units_free: 225 })).toBe(0.25);
  expect(takenShare({ units_total: 0, units_free: 0 })).toBe(0);
});

const base = (words: object) =>
  new Set(Object.keys(words).map((key) => key.replace(/_(zero|one|two|few|many|other)$/, "")));

describe.each(Object.entries({ de, ar }))("in %s", (_, words) => {
  test("every word of the pages is there", () => {
    expect(base(words)).toEqual(base(en));
  });
});
