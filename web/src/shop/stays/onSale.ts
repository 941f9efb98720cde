// What the frame of the shop asks of stays: whether there are any, and where a listing's page is. Small, because
// it is part of the first load.
import type { QueryClient } from "@tanstack/react-query";
import { Problem, type Api } from "~/api/client";
import type { HoldView, Listing } from "~/api/schema";

const FRESH_MS = 5 * 60_000;

export function anyStays(api: Api) {
  return {
    queryKey: ["stays", "any"],
    staleTime: FRESH_MS,
    queryFn: async () =>
      (await api.GET("/v1/stays/properties", { query: { limit: 1 } })).items.length > 0,
  };
}

export function hasStays(api: Api, cache: QueryClient): Promise<boolean> {
  return cache.fetchQuery(anyStays(api));
}

/** Null for a resource that is no listing. */
export async function readListing(api: Api, id: string): Promise<Listing | null> {
  try {
    const query = { days: 1 };
    return await api.GET("/v1/listings/{listing_id}", { path: { listing_id: id }, query });
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return null;
    throw error;
  }
}

/** The listing's page with the dates, the guests and the rate of a hold. */
export function stayHref({ lines }: Pick<HoldView, "lines">): string {
  const [first] = lines;
  if (first === undefined) return "/stays";
  const ages = lines.flatMap((line) => line.ages ?? []).join(",");
  const guests = lines.reduce((count, line) => count + (line.guests ?? 0), 0);
  const rooms = lines.reduce((count, line) => count + (line.quantity ?? 1), 0);
  const said = {
    start: first.from ?? "",
    end: first.to ?? "",
    ...(guests > 0 && { guests: String(guests) }),
    ...(ages !== "" && { ages }),
    ...(rooms > 1 && { rooms: String(rooms) }),
    ...(first.rate && { rate: first.rate }),
  };
  return `/stays/${first.resource_id}?${new URLSearchParams(said)}`;
}
