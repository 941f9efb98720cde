// The cinema's pages that are brought when they are asked for, by their path.
import type { First } from "../askedAhead";
import { filmsHere, showsHere } from "./firstPage";

export const PAGES = {
  "/films/:film": () => import("./FilmPage"),
};

const CITIES = "/v1/cinema/cities";
/** As catalog.ts asks. */
export const FIRST = {
  "/": (): First[] => [[CITIES, {}, filmsHere]],
  "/films/:film": (name: string): First[] => [
    [CITIES, {}, (cities: Parameters<typeof showsHere>[0]) => showsHere(cities, name)],
    ["/v1/cinema/films/{film_id}", { path: { film_id: name } }],
  ],
};
