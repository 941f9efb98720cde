// The first steps of a cinema.
import { expect, test } from "vitest";
import { type CinemaParts, cinemaStanding } from "./firstSteps";

const CITY: CinemaParts = {
  city: "cty_1",
  cinema: null,
  hasScreen: false,
  film: null,
  filmOfShow: null,
  isPublished: false,
};
const next = (part: Partial<CinemaParts>) => {
  const step = cinemaStanding({ ...CITY, ...part }).steps.find(({ isDone }) => !isDone);
  return [step?.name, step?.text, step?.href];
};

test("each part of a cinema leads to the next, up to a show that can be published", () => {
  expect(next({ city: null })).toEqual(["screen", "screen_city", "/console/cinema/cities/new"]);
  expect(next({})).toEqual(["screen", "screen_cinema", "/console/cinema/cinemas/new?city=cty_1"]);
  const cinema = "cin_1";
  expect(next({ cinema })).toEqual([
    "screen",
    undefined,
    "/console/cinema/cinemas/cin_1/new-screen",
  ]);
  const hasScreen = true;
  expect(next({ cinema, hasScreen })).toEqual(["film", undefined, "/console/cinema/new"]);
  const film = "flm_1";
  expect(next({ cinema, hasScreen, film })).toEqual([
    "show",
    undefined,
    "/console/cinema/films/flm_1/new-shows",
  ]);
  const whole = { ...CITY, cinema, hasScreen, film, filmOfShow: "flm_2" };
  expect(next(whole)).toEqual([undefined, undefined, undefined]);
  expect(cinemaStanding(whole).publish).toBe("/console/cinema/films/flm_2");
  expect(cinemaStanding(CITY).publish).toBeNull();
});
