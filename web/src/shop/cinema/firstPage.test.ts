// @vitest-environment happy-dom
// What the first page of the films asks for before the program is there.
import { afterEach, expect, test } from "vitest";
import type { City } from "~/api/schema";
import { featuredOf, filmsHere, showsHere } from "./firstPage";
import { KEPT_AS } from "./nearest";

const city = (id: string, time_zone: string): City => ({
  id,
  name: id,
  country: "XX",
  currency: "EUR",
  time_zone,
  cinemas: 1,
  shows: 10,
});
const CITIES = { items: [city("kolkata", "Asia/Kolkata"), city("honolulu", "Pacific/Honolulu")] };
const EVENING = new Date("2026-11-25T20:00:00Z");

afterEach(() => localStorage.clear());

test("the day is that of the city which this browser chose last", () => {
  localStorage.setItem(KEPT_AS, "kolkata");
  expect(filmsHere(CITIES, EVENING)).toMatchObject([
    [
      "/v1/cinema/films",
      { query: { limit: 24, city: "kolkata", date: "2026-11-26" } },
      expect.any(Function),
    ],
  ]);
  localStorage.setItem(KEPT_AS, "honolulu");
  expect(filmsHere(CITIES, EVENING)).toMatchObject([
    ["/v1/cinema/films", { query: { city: "honolulu", date: "2026-11-25" } }, expect.any(Function)],
  ]);
  expect(showsHere(CITIES, "flm_1")).toEqual([
    ["/v1/cinema/shows", { query: { film: "flm_1", limit: 100, city: "honolulu" } }],
  ]);
});

test("without a city nothing is asked for", () => {
  expect(filmsHere({ items: [] }, EVENING)).toEqual([]);
  expect(showsHere({ items: [] }, "flm_1")).toEqual([]);
});

test("the posters that are seen first are on their way: the featured one, and the first of the list", () => {
  localStorage.setItem(KEPT_AS, "kolkata");
  const asked: string[] = [];
  class Picture {
    fetchPriority = "";
    set src(address: string) {
      asked.push(`${this.fetchPriority} ${address}`);
    }
  }
  const before = globalThis.Image;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as far as it is used
  globalThis.Image = Picture as unknown as typeof Image;
  const [first] = filmsHere(CITIES, EVENING);
  const film = (id: string, shows: number) => ({ id, shows, poster: `/${id}.svg` });
  const films = [film("a", 1), film("b", 2), film("c", 9), film("d", 3)];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as far as it is read
  expect(first?.[2]?.({ items: films } as never, EVENING)).toEqual([]);
  globalThis.Image = before;
  expect(asked).toEqual(["high /c.svg", "high /a.svg", "high /b.svg"]);
  expect(featuredOf(films)?.id).toBe("c");
  expect(featuredOf([])).toBeUndefined();
});
