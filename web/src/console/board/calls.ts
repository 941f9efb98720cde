// What the board asks the API.
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { allItems, BY_PAGE } from "~/api/pages";
import { api } from "../session";

export const BOARD = "board";
export const DAYS = 14;
const LISTINGS = 50;
const REFRESH_MS = 30_000;

export function useHouses(search: string) {
  return useQuery({
    queryKey: [BOARD, "houses", search],
    queryFn: () => api.GET("/v1/stays/properties", { query: { search, limit: 50 } }),
  });
}

export function useHouse(id: string) {
  return useQuery({
    queryKey: [BOARD, "house", id],
    queryFn: () => api.GET("/v1/stays/properties/{property_id}", { path: { property_id: id } }),
  });
}

export function useBoard(id: string, from: string) {
  return useInfiniteQuery({
    queryKey: [BOARD, id, "chart", from],
    refetchInterval: REFRESH_MS,
    queryFn: ({ pageParam }) =>
      api.GET("/v1/stays/properties/{property_id}/board", {
        path: { property_id: id },
        query: { ...(from && { from }), days: DAYS, limit: LISTINGS, ...pageParam },
      }),
    ...BY_PAGE,
  });
}

export function useGuests(id: string, date: string) {
  return useQuery({
    queryKey: [BOARD, id, "guests", date],
    refetchInterval: REFRESH_MS,
    queryFn: () =>
      allItems((after) =>
        api.GET("/v1/stays/properties/{property_id}/arrivals", {
          path: { property_id: id },
          query: { date, limit: 100, ...after },
        }),
      ),
  });
}

export function useFigures(id: string, from: string) {
  return useQuery({
    queryKey: [BOARD, id, "figures", from],
    queryFn: () =>
      api.GET("/v1/stays/properties/{property_id}/figures", {
        path: { property_id: id },
        query: { from, days: DAYS },
      }),
  });
}
