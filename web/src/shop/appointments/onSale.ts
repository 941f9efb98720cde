// What the frame of the shop asks of appointments: whether there are teams, and where the page of one is. Small,
// because it is part of the first load.
import type { QueryClient } from "@tanstack/react-query";
import type { Api } from "~/api/client";
import type { HoldView } from "~/api/schema";

const FRESH_MS = 5 * 60_000;

export function anyTeams(api: Api) {
  return {
    queryKey: ["appointments", "any"],
    staleTime: FRESH_MS,
    queryFn: async () =>
      (await api.GET("/v1/appointments/teams", { query: { limit: 1 } })).items.length > 0,
  };
}

export function hasTeams(api: Api, cache: QueryClient): Promise<boolean> {
  return cache.fetchQuery(anyTeams(api));
}

/** The page of the team, with what was held chosen on it. */
export function appointmentHref({ lines }: Pick<HoldView, "lines">): string {
  const [first] = lines;
  if (first === undefined) return "/appointments";
  const said = new URLSearchParams({
    ...(first.rate && { service: first.rate }),
    ...(first.unit && { provider: first.unit }),
    // As the team's clock has it: the times of the API have its offset.
    ...(first.from && { date: first.from.slice(0, 10) }),
    ...((first.quantity ?? 1) > 1 && { places: String(first.quantity) }),
  });
  return `/appointments/${first.resource_id}?${said}`;
}
