// Queries of the catalogue: cities, films, shows.
import {
  keepPreviousData,
  useInfiniteQuery,
  useQuery,
  type QueryClient,
} from "@tanstack/react-query";
import type { Show } from "~/api/schema";
import { Problem, type Api } from "~/api/client";
import { allItems, BY_PAGE } from "~/api/pages";
import { useShop } from "../session";
import type { Filters } from "./filters";
import { FILMS_MAX, SHOWS_MAX } from "./firstPage";

const FRESH_MS = 30_000;

function cities(api: Api) {
  return {
    queryKey: ["cinema", "cities"],
    staleTime: 5 * 60_000,
    queryFn: async () => (await api.GET("/v1/cinema/cities")).items,
  };
}

export function useCities() {
  const { api } = useShop();
  return useQuery(cities(api));
}

export async function hasShows(api: Api, cache: QueryClient): Promise<boolean> {
  return (await cache.fetchQuery(cities(api))).some(({ shows }) => shows > 0);
}

/** The matching films by page, with the remaining values of each filter. */
export function useFilms(cityId: string | undefined, filters: Filters, date: string | null) {
  const { api } = useShop();
  const { language, format, genre, accessible, q } = filters;
  const query = {
    limit: FILMS_MAX,
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
    ...BY_PAGE,
    queryFn: ({ pageParam }) => api.GET("/v1/cinema/films", { query: { ...query, ...pageParam } }),
  });
}

export function useFilm(filmId: string) {
  const { api } = useShop();
  return useQuery({
    queryKey: ["cinema", "film", filmId],
    staleTime: FRESH_MS,
    queryFn: () => api.GET("/v1/cinema/films/{film_id}", { path: { film_id: filmId } }),
  });
}

export function useShows(filmId: string, cityId: string | undefined) {
  const { api } = useShop();
  return useQuery({
    queryKey: ["cinema", "shows", filmId, cityId],
    enabled: cityId !== undefined,
    staleTime: 10_000,
    refetchInterval: FRESH_MS,
    queryFn: () => {
      const query = {
        film: filmId,
        limit: SHOWS_MAX,
        ...(cityId !== undefined && { city: cityId }),
      };
      return allItems((after) => api.GET("/v1/cinema/shows", { query: { ...query, ...after } }));
    },
  });
}

/** Null for a resource that is not a show. */
export function useShow(showId: string) {
  const { api } = useShop();
  return useQuery({
    queryKey: ["cinema", "show", showId],
    staleTime: FRESH_MS,
    queryFn: () => readShow(api, showId),
  });
}

async function readShow(api: Api, showId: string): Promise<Show | null> {
  try {
    return await api.GET("/v1/cinema/shows/{show_id}", { path: { show_id: showId } });
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return null;
    throw error;
  }
}

/** Not part of the resource, so the show is read. */
export async function isShowCalledOff(api: Api, showId: string): Promise<boolean> {
  return (await readShow(api, showId))?.state === "called_off";
}
