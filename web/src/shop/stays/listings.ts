// Several listings with their calendars at once. Apart from the other queries of stays, which the search brings along.
import { useQueries } from "@tanstack/react-query";
import { allOf } from "~/api/allOf";
import { useShop } from "../session";
import { listingQuery } from "./catalog";

/** The listings with so many nights of their calendars, for so many rooms of each by its id, once all are there. */
export function useListings(rooms: ReadonlyMap<string, number>, days: number) {
  const { api } = useShop();
  return useQueries({
    queries: [...rooms].map(([id, count]) => listingQuery(api, id, "", days, count)),
    combine: allOf,
  });
}
