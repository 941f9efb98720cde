// Queries of the programme: venues, productions, and performances.
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { allItems, BY_PAGE } from "~/api/pages";
import { useShop } from "../session";
import type { Filters, Span } from "./filters";
import { readPerformance } from "./onSale";

const PAGE = 24;
const SUGGESTED_MAX = 6;
const FRESH_MS = 30_000;

export function useVenues() {
  const { api } = useShop();
  return useQuery({
    queryKey: ["programme", "venues"],
    staleTime: 5 * 60_000,
    queryFn: () =>
      allItems((after) => api.GET("/v1/programme/venues", { query: { limit: 100, ...after } })),
  });
}

/** What of the filters the server looks after, on these days. */
function asked({ q, kind, venue, city }: Filters, { from, to }: Span) {
  return {
    ...(q !== "" && { search: q }),
    ...(kind !== "" && { kind }),
    ...(venue !== "" && { venue }),
    ...(city !== "" && { city }),
    ...(from !== "" && { from }),
    ...(to !== "" && { to }),
  };
}

export function useProductions(filters: Filters, span: Span, isShown: boolean) {
  const { api } = useShop();
  const query = { limit: PAGE, ...asked(filters, span) };
  return useInfiniteQuery({
    queryKey: ["programme", "productions", query],
    enabled: isShown,
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
    ...BY_PAGE,
    queryFn: ({ pageParam }) =>
      api.GET("/v1/programme/productions", { query: { ...query, ...pageParam } }),
  });
}

/** The first productions with these words. */
export function useSuggestions(search: string) {
  const { api } = useShop();
  return useQuery({
    queryKey: ["programme", "suggestions", search],
    enabled: search !== "",
    staleTime: FRESH_MS,
    queryFn: async () => {
      const query = { search, limit: SUGGESTED_MAX };
      return (await api.GET("/v1/programme/productions", { query })).items;
    },
  });
}

export function useProduction(id: string) {
  const { api } = useShop();
  const path = { production_id: id };
  return useQuery({
    queryKey: ["programme", "production", id],
    staleTime: FRESH_MS,
    queryFn: () => api.GET("/v1/programme/productions/{production_id}", { path }),
  });
}

/** The dates of a production that are still to come. */
export function useDates(production: string) {
  const { api } = useShop();
  const query = { production, limit: 100 };
  return useQuery({
    queryKey: ["programme", "dates", production],
    staleTime: 10_000,
    refetchInterval: FRESH_MS,
    queryFn: () =>
      allItems((after) => api.GET("/v1/programme/performances", { query: { ...query, ...after } })),
  });
}

/** What is on in these days. A date does not tell what its production can be found by, so the
 * productions that match are asked for beside it. */
export function useCalendar(filters: Filters, span: Span, isShown: boolean) {
  const { api } = useShop();
  const { venue, city, kind, q } = filters;
  const query = { limit: 100, ...span, ...(venue !== "" && { venue }) };
  const matching = { limit: 100, ...asked(filters, span) };
  return useQuery({
    queryKey: ["programme", "calendar", query, city, kind, q],
    enabled: isShown,
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const isNarrowed = q !== "" || city !== "" || kind !== "";
      const [dates, found] = await Promise.all([
        allItems((after) =>
          api.GET("/v1/programme/performances", { query: { ...query, ...after } }),
        ),
        isNarrowed
          ? allItems((after) =>
              api.GET("/v1/programme/productions", { query: { ...matching, ...after } }),
            )
          : null,
      ]);
      if (found === null) return dates;
      const ids = new Set(found.map(({ id }) => id));
      const places = new Set(found.flatMap(({ venues }) => venues.map(({ id }) => id)));
      return dates.filter((date) => ids.has(date.production.id) && places.has(date.venue.id));
    },
  });
}

/** Null for a resource that is no performance. */
export function usePerformance(id: string) {
  const { api } = useShop();
  return useQuery({
    queryKey: ["programme", "performance", id],
    staleTime: FRESH_MS,
    queryFn: () => readPerformance(api, id),
  });
}
