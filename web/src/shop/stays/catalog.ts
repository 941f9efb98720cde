// Queries of stays: towns, what can be had, and one listing with its calendar.
import { keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { Api } from "~/api/client";
import { BY_PAGE } from "~/api/pages";
import type { StayPlace } from "~/api/schema";
import { decimalsOf } from "~/i18n/currencies";
import { useShop } from "../session";
import { windowOf } from "./anyStay";
import { isSomewhere, type StayWishes, type Wishes } from "./filters";
import { readListing } from "./onSale";

const PAGE = 24;
const TOWNS_MAX = 8;
const FRESH_MS = 30_000;
const POLL_MS = 15_000;
const NONE_FRESH_MS = 5_000;

/** Towns that begin like a text, those with the most listings first; null asks for nothing. */
export function useTowns(text: string | null, limit = TOWNS_MAX): readonly StayPlace[] | undefined {
  return useQuery(townsQuery(useShop().api, text, limit)).data;
}

/** A town that has its first listing, or was not known yet, is not missed for long. */
export function townsQuery(api: Api, text: string | null, limit: number) {
  const search = text ?? "";
  return queryOptions({
    queryKey: ["stays", "towns", search, limit],
    enabled: text !== null,
    staleTime: ({ state }) => (state.data?.length === 0 ? NONE_FRESH_MS : 5 * 60_000),
    queryFn: async () => (await api.GET("/v1/stays/places", { query: { limit, search } })).items,
  });
}

function asked({ start, end, flexible, guests, ages, rooms, ...wishes }: Wishes) {
  const { price, currency, kinds, amenities, match, rating } = wishes;
  const priced = { currency, price_max: (price ?? 0) * 10 ** decimalsOf(currency || "EUR") };
  return {
    guests,
    rooms,
    ...(ages.length > 0 && { ages: ages.join(",") }),
    ...(start !== "" && { start, end }),
    ...(wishes.month !== "" && windowOf(wishes)),
    ...(start !== "" && flexible > 0 && { flexible }),
    ...(price !== null && priced),
    ...(rating !== null && { rating_min: rating }),
    ...(kinds.length > 0 && { kinds: kinds.join(",") }),
    ...(amenities.length > 0 && {
      [match === "any" ? "amenities_any" : "amenities"]: amenities.join(","),
    }),
  };
}

/** What the map shows goes before the place. */
function where({ box, lat, lon, radius }: Wishes) {
  if (box !== "") return { box };
  return { lat: lat ?? 0, lon: lon ?? 0, ...(radius !== null && { radius }) };
}

/** What can be had as it is wished; asked for once it is known where. */
export function useMatches(wishes: Wishes) {
  const { api } = useShop();
  const query = { limit: PAGE, sort: wishes.sort, ...where(wishes), ...asked(wishes) };
  return useInfiniteQuery({
    queryKey: ["stays", "matches", query],
    enabled: isSomewhere(wishes),
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
    ...BY_PAGE,
    queryFn: ({ pageParam }) => api.GET("/v1/search", { query: { ...query, ...pageParam } }),
  });
}

/** The same in what a map shows, as its markers. */
export function useMarkers(wishes: Wishes, box: string, zoom: number) {
  const { api } = useShop();
  const query = { box, zoom: Math.max(0, zoom), ...asked(wishes) };
  return useQuery({
    queryKey: ["stays", "markers", query],
    enabled: box !== "",
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
    queryFn: () => api.GET("/v1/stays/map", { query }),
  });
}

/** A listing with so many nights of its calendar; it is read again while one looks at it. */
export function useListing(id: string, from: string, days: number, rooms: number) {
  const { api } = useShop();
  return useQuery(listingQuery(api, id, from, days, rooms));
}

export function listingQuery(api: Api, id: string, from: string, days: number, rooms: number) {
  return queryOptions({
    queryKey: ["stays", "listing", id, from, days, rooms],
    staleTime: POLL_MS,
    refetchInterval: POLL_MS,
    placeholderData: keepPreviousData,
    queryFn: () =>
      api.GET("/v1/listings/{listing_id}", {
        path: { listing_id: id },
        query: { days, rooms, ...(from !== "" && { from }) },
      }),
  });
}

/** The rates of a stay; asked for once its dates are chosen and its guests fit in. */
export function useStayRates(id: string, wishes: StayWishes, isAsked: boolean) {
  const { api } = useShop();
  const { start, end, guests, ages, rooms } = wishes;
  const query = { start, end, guests, rooms, ...(ages.length > 0 && { ages: ages.join(",") }) };
  return useQuery({
    queryKey: ["stays", "rates", id, query],
    enabled: isAsked,
    staleTime: POLL_MS,
    placeholderData: keepPreviousData,
    retry: false,
    queryFn: async () => {
      const path = { listing_id: id };
      return (await api.GET("/v1/listings/{listing_id}/rates", { path, query })).items;
    },
  });
}

/** A stay as a hold asks for it. */
export function stayLine(id: string, wishes: StayWishes) {
  const { start, end, guests, ages, rooms, rate = "" } = wishes;
  return {
    resource_id: id,
    unit: null,
    quantity: rooms,
    from: start,
    to: end,
    guests,
    ...(ages.length > 0 && { ages: [...ages] }),
    ...(rate !== "" && { rate }),
  };
}

/** Null for a resource that is no listing. */
export function useListingFacts(id: string) {
  const { api } = useShop();
  return useQuery({
    queryKey: ["stays", "facts", id],
    staleTime: 5 * 60_000,
    queryFn: () => readListing(api, id),
  });
}
