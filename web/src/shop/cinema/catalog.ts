// Queries of the catalogue: cities, films, shows.
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { Readable } from "openapi-typescript-helpers";
import type * as schema from "~/api/schema";
import { Problem } from "~/api/client";
import { useShop, type Ask } from "../session";
import type { Filters } from "./filters";

export type City = Readable<schema.City>;
export type Film = Readable<schema.Film>;
export type Show = Readable<schema.Show>;

const PAGE = 24;
const SHOWS_MAX = 200;
const FRESH_MS = 30_000;

export function useCities() {
  const { ask } = useShop();
  return useQuery({
    queryKey: ["cinema", "cities"],
    staleTime: 5 * 60_000,
    queryFn: async () => (await ask((api) => api.GET("/v1/cinema/cities"))).items,
  });
}

/** The matching films by page, with the remaining values of each filter. */
export function useFilms(cityId: string | undefined, filters: Filters, date: string | null) {
  const { ask } = useShop();
  const { language, format, genre, accessible, q } = filters;
  const query = {
    limit: PAGE,
    ...(cityId !== undefined && { city: cityId }),
    ...(date !== null && { date }),
    ...(language !== "" && { language }),
    ...(format !== "" && { format }),
    ...(genre !== "" && { genre }),
    ...(accessible && { accessible }),
    ...(q !== "" && { q }),
  };
  return useInfiniteQuery({
    queryKey: ["cinema", "films", query],
    enabled: cityId !== undefined,
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
    initialPageParam: "",
    queryFn: ({ pageParam }) =>
      ask((api) =>
        api.GET("/v1/cinema/films", {
          params: { query: { ...query, ...(pageParam !== "" && { after: pageParam }) } },
        }),
      ),
    getNextPageParam: (page) => page.next,
  });
}

export function useFilm(filmId: string) {
  const { ask } = useShop();
  return useQuery({
    queryKey: ["cinema", "film", filmId],
    staleTime: FRESH_MS,
    queryFn: () =>
      ask((api) =>
        api.GET("/v1/cinema/films/{film_id}", { params: { path: { film_id: filmId } } }),
      ),
  });
}

/** All upcoming shows of a film in a city. */
export function useShows(filmId: string, cityId: string | undefined) {
  const { ask } = useShop();
  return useQuery({
    queryKey: ["cinema", "shows", filmId, cityId],
    enabled: cityId !== undefined,
    staleTime: 10_000,
    refetchInterval: FRESH_MS,
    queryFn: async () => {
      const shows: Show[] = [];
      let after: string | null = null;
      do {
        const page: { items: Show[]; next: string | null } = await ask((api) =>
          api.GET("/v1/cinema/shows", {
            params: {
              query: {
                film: filmId,
                limit: 100,
                ...(cityId !== undefined && { city: cityId }),
                ...(after !== null && { after }),
              },
            },
          }),
        );
        shows.push(...page.items);
        after = page.next;
      } while (after !== null && shows.length < SHOWS_MAX);
      return shows;
    },
  });
}

/** Null for a resource that is not a show. */
export function useShow(showId: string) {
  const { ask } = useShop();
  return useQuery({
    queryKey: ["cinema", "show", showId],
    staleTime: FRESH_MS,
    queryFn: () => readShow(ask, showId),
  });
}

async function readShow(ask: Ask, showId: string): Promise<Show | null> {
  try {
    return await ask((api) =>
      api.GET("/v1/cinema/shows/{show_id}", { params: { path: { show_id: showId } } }),
    );
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return null;
    throw error;
  }
}

/** Not part of the resource, so the show is read. */
export async function isShowCalledOff(ask: Ask, showId: string): Promise<boolean> {
  return (await readShow(ask, showId))?.state === "called_off";
}
