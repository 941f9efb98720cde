// The cinema's pages that are brought when they are asked for, by their path.
import type { First } from "../askedAhead";

export const PAGES = {
  "/films/:film": () => import("./FilmPage"),
};

const CITIES: First = ["/v1/cinema/cities"];
/** As catalog.ts asks. */
export const FIRST = {
  "/": (): First[] => [CITIES],
  "/films/:film": (name: string): First[] => [
    CITIES,
    ["/v1/cinema/films/{film_id}", { path: { film_id: name } }],
  ],
};
