// What the pages of stays read, each under a key that its changes name.
import { useQuery } from "@tanstack/react-query";
import { allItems } from "~/api/pages";
import { BOARD } from "../board/calls";
import { api } from "../session";

export const STAYS = ["stays"];
const PAGE = 100;

export function useProperty(id: string) {
  return useQuery({
    queryKey: [...STAYS, "property", id],
    queryFn: () => api.GET("/v1/stays/properties/{property_id}", { path: { property_id: id } }),
    enabled: id !== "",
    // What is being typed is not replaced.
    refetchOnWindowFocus: false,
  });
}

export function useListings(property: string) {
  return useQuery({
    queryKey: [...STAYS, "listings", property],
    queryFn: () =>
      allItems((after) => api.GET("/v1/listings", { query: { property, limit: PAGE, ...after } })),
  });
}

export const listingKey = (id: string) => [...STAYS, "listing", id];

export const readListing = (id: string) =>
  api.GET("/v1/listings/{listing_id}", { path: { listing_id: id }, query: { days: 1 } });

export function useListing(id: string) {
  return useQuery({
    queryKey: listingKey(id),
    queryFn: () => readListing(id),
    refetchOnWindowFocus: false,
  });
}

export function useSuggestedPrices(id: string) {
  return useQuery({
    queryKey: [...STAYS, "suggested-prices", id],
    queryFn: () =>
      api.GET("/v1/listings/{listing_id}/suggested-prices", { path: { listing_id: id } }),
    refetchOnWindowFocus: false,
  });
}

export function usePickUp(id: string, date: string) {
  return useQuery({
    queryKey: [...STAYS, "pick-up", id, date],
    queryFn: () =>
      api.GET("/v1/listings/{listing_id}/pick-up", { path: { listing_id: id }, query: { date } }),
    enabled: date !== "",
  });
}

/** How many rooms of each listing are taken, in so many nights from one on; none: nothing is asked. */
export function useNightsTaken(property: string, from: string, days: number) {
  return useQuery({
    queryKey: [BOARD, property, "taken", from, days],
    queryFn: async () => {
      const listings = await allItems((after) =>
        api.GET("/v1/stays/properties/{property_id}/board", {
          path: { property_id: property },
          query: { from, days, limit: PAGE, ...after },
        }),
      );
      return new Map(listings.map(({ id, nights }) => [id, nights]));
    },
    enabled: from !== "",
  });
}
