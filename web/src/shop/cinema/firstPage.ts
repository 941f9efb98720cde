// What the first page of the films asks for and shows before anything else. It is apart from the page, so that
// its posters are on their way while the program is.
import type { Film, Show } from "~/api/schema";
import type { First } from "../askedAhead";
import { dateIn } from "../days";
import { cityHere, KEPT_AS } from "./nearest";

type Cities = { readonly items: Parameters<typeof cityHere>[0] };
type Films = { readonly items: readonly Film[] };

export const FILMS_MAX = 24;
export const SHOWS_MAX = 100;
/** How many a phone shows; a wider window's others come hardly later. */
export const EAGER = 2;

/** The film that most is shown of. */
export function featuredOf<Shown extends Pick<Film, "shows">>(
  films: readonly Shown[],
): Shown | undefined {
  return [...films].sort((one, other) => other.shows - one.shows)[0];
}

/** As useFilms asks where nothing is filtered. */
export function filmsHere({ items }: Cities, now: Date): First[] {
  const city = cityHere(items, localStorage.getItem(KEPT_AS) ?? "");
  if (city === undefined) return [];
  const query = { limit: FILMS_MAX, city: city.id, date: dateIn(city.time_zone, now) };
  return [["/v1/cinema/films", { query }, bringPosters]];
}

/** As useShows asks. */
export function showsHere({ items }: Cities, film: Show["film"]["id"]): First[] {
  const city = cityHere(items, localStorage.getItem(KEPT_AS) ?? "");
  if (city === undefined) return [];
  return [["/v1/cinema/shows", { query: { film, limit: SHOWS_MAX, city: city.id } }]];
}

function bringPosters({ items }: Films): First[] {
  const featured = featuredOf(items);
  for (const film of new Set([...(featured ? [featured] : []), ...items.slice(0, EAGER)])) {
    const picture = new Image();
    picture.fetchPriority = "high";
    picture.src = film.poster;
  }
  return [];
}
