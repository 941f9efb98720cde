// What the frame of the shop asks the programme: whether it has any events, and whether a date was
// called off. Small, because it is part of the first load.
import type { QueryClient } from "@tanstack/react-query";
import type { Performance } from "~/api/schema";
import { Problem, type Api } from "~/api/client";

const FRESH_MS = 5 * 60_000;

export function anyEvents(api: Api) {
  return {
    queryKey: ["programme", "any"],
    staleTime: FRESH_MS,
    queryFn: async () =>
      (await api.GET("/v1/programme/productions", { query: { limit: 1 } })).items.length > 0,
  };
}

export function hasEvents(api: Api, cache: QueryClient): Promise<boolean> {
  return cache.fetchQuery(anyEvents(api));
}

/** Null for a resource that is no performance. */
export async function readPerformance(api: Api, id: string): Promise<Performance | null> {
  const path = { performance_id: id };
  try {
    return await api.GET("/v1/programme/performances/{performance_id}", { path });
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return null;
    throw error;
  }
}

export async function isPerformanceCalledOff(api: Api, id: string): Promise<boolean> {
  return (await readPerformance(api, id))?.state === "called_off";
}
