// What the pages of the programme read, each under a key that its changes name.
import { useQuery } from "@tanstack/react-query";
import { allItems } from "~/api/pages";
import { api } from "../session";

export const PROGRAMME = ["programme"];
const PAGE = 100;

export function useVenues() {
  return useQuery({
    queryKey: [...PROGRAMME, "venues"],
    queryFn: () =>
      allItems((after) => api.GET("/v1/programme/venues", { query: { limit: PAGE, ...after } })),
  });
}

export function useVenue(id: string) {
  return useQuery({
    queryKey: [...PROGRAMME, "venue", id],
    queryFn: () => api.GET("/v1/programme/venues/{venue_id}", { path: { venue_id: id } }),
    // What is being typed is not replaced.
    refetchOnWindowFocus: false,
  });
}

/** The halls of a venue, or of all. */
export function useHalls(venue?: string) {
  return useQuery({
    queryKey: [...PROGRAMME, "halls", venue],
    queryFn: () =>
      allItems((after) =>
        api.GET("/v1/programme/halls", {
          query: { limit: PAGE, ...(venue !== undefined && { venue }), ...after },
        }),
      ),
  });
}

export function useHall(id: string) {
  return useQuery({
    queryKey: [...PROGRAMME, "hall", id],
    queryFn: () => api.GET("/v1/programme/halls/{hall_id}", { path: { hall_id: id } }),
    enabled: id !== "",
    refetchOnWindowFocus: false,
  });
}

export function useProduction(id: string) {
  return useQuery({
    queryKey: [...PROGRAMME, "production", id],
    queryFn: () =>
      api.GET("/v1/programme/productions/{production_id}", { path: { production_id: id } }),
    refetchOnWindowFocus: false,
  });
}

export function usePerformance(id: string) {
  return useQuery({
    queryKey: [...PROGRAMME, "performance", id],
    queryFn: () =>
      api.GET("/v1/programme/performances/{performance_id}", { path: { performance_id: id } }),
    enabled: id !== "",
    refetchOnWindowFocus: false,
  });
}
