// What of a cinema has to be made before its first show is published: each part leads to the next.
import { api } from "../session";
import { draftFirst, type Way, type WayStanding } from "../start/ways";

const PAGE = 100;

/** What is known of a cinema. */
export type CinemaParts = {
  readonly city: string | null;
  readonly cinema: string | null;
  readonly hasScreen: boolean;
  readonly film: string | null;
  /** The film of the show that is published next. */
  readonly filmOfShow: string | null;
  readonly isPublished: boolean;
};

export function cinemaStanding(parts: CinemaParts): WayStanding {
  const { city, cinema, hasScreen, film, filmOfShow, isPublished } = parts;
  const missing = city === null ? "screen_city" : "screen_cinema";
  return {
    steps: [
      {
        name: "screen",
        isDone: hasScreen,
        href: screenPath(parts),
        ...(cinema === null && { text: missing }),
      },
      { name: "film", isDone: film !== null, href: "/console/cinema/new" },
      {
        name: "show",
        isDone: filmOfShow !== null,
        href: film === null ? "/console/cinema/new" : `${pageOf(film)}/new-shows`,
        isDoneOnceSold: true,
      },
    ],
    publish: filmOfShow === null ? null : pageOf(filmOfShow),
    isPublished,
  };
}

const pageOf = (film: string) => `/console/cinema/films/${film}`;

function screenPath({ city, cinema }: CinemaParts): string {
  if (city === null) return "/console/cinema/cities/new";
  if (cinema === null) return `/console/cinema/cinemas/new?city=${city}`;
  return `/console/cinema/cinemas/${cinema}/new-screen`;
}

async function read(): Promise<WayStanding | null> {
  const [cities, films] = await Promise.all([
    api.GET("/v1/cinema/cities"),
    api.GET("/v1/cinema/films", { query: { limit: 1 } }),
  ]);
  const [city] = cities.items;
  const [film] = films.items;
  if (city === undefined && film === undefined) return null;
  const [cinemas, screens, shows] = await Promise.all([
    api.GET("/v1/cinema/cinemas", { query: { limit: 1 } }),
    api.GET("/v1/cinema/screens", { query: { limit: 1 } }),
    api.GET("/v1/cinema/shows", { query: { limit: PAGE } }),
  ]);
  const own = shows.items.filter(({ state }) => state !== "called_off");
  return cinemaStanding({
    city: city?.id ?? null,
    cinema: cinemas.items[0]?.id ?? null,
    hasScreen: screens.items.length > 0,
    film: film?.id ?? null,
    filmOfShow: draftFirst(own)?.film.id ?? null,
    isPublished: own.some(({ published }) => published),
  });
}

export const WAY: Way = { name: "cinema", href: "/console/cinema/screens", read };
