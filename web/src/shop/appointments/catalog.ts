// Queries of appointments: teams, the days of one with free times, and the times of a day. Times are asked for again
// while one looks at them, for others take them.
import {
  keepPreviousData,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { BY_PAGE } from "~/api/pages";
import type { FreeDays, Team, TimeSlot } from "~/api/schema";
import { addDays, daysFrom } from "../days";
import { useShop } from "../session";
import { SHOWN_DAYS } from "./openDays";

const PAGE = 12;
const FRESH_MS = 30_000;
const TIMES_FRESH_MS = 5000;
const POLL_MS = 20_000;
const TIMES = ["appointments", "times"] as const;

export function useTeams(text: string) {
  const { api } = useShop();
  const query = { limit: PAGE, ...(text !== "" && { text }) };
  return useInfiniteQuery({
    queryKey: ["appointments", "teams", query],
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
    ...BY_PAGE,
    queryFn: ({ pageParam }) =>
      api.GET("/v1/appointments/teams", { query: { ...query, ...pageParam } }),
  });
}

export function useTeam(id: string) {
  const { api } = useShop();
  return useQuery({
    queryKey: ["appointments", "team", id],
    staleTime: FRESH_MS,
    queryFn: () => api.GET("/v1/appointments/teams/{team_id}", { path: { team_id: id } }),
  });
}

/** `quantity` is of how many places, where it is more than one. */
type Asked = { teamId: string; service: string; provider: string; quantity?: number | null };

/** A fortnight from a date on, and the first time that is free at all. */
export function useFreeDays({ teamId, service, provider, quantity }: Asked, from: string) {
  const { api } = useShop();
  const places = quantity ?? 1;
  return useQuery<FreeDays>({
    queryKey: [...TIMES, teamId, "days", service, provider, places, from],
    enabled: service !== "",
    staleTime: TIMES_FRESH_MS,
    refetchInterval: POLL_MS,
    placeholderData: keepPreviousData,
    queryFn: () =>
      api.GET("/v1/appointments/teams/{team_id}/free-days", {
        path: { team_id: teamId },
        query: {
          service,
          from,
          to: addDays(from, SHOWN_DAYS),
          ...(provider !== "" && { provider }),
          ...(places > 1 && { quantity: places }),
        },
      }),
  });
}

/** The next free time of a team for a service, for its card: of the days only today is asked for. */
export function useNextFree({ id, time_zone }: Pick<Team, "id" | "time_zone">, service: string) {
  const { api, behindMs } = useShop();
  return useQuery({
    queryKey: [...TIMES, id, "next", service],
    enabled: service !== "",
    staleTime: FRESH_MS,
    queryFn: async () => {
      const [from = "", to = ""] = daysFrom(time_zone, new Date(Date.now() + behindMs), 2);
      const found = await api.GET("/v1/appointments/teams/{team_id}/free-days", {
        path: { team_id: id },
        query: { service, from, to },
      });
      return found.next_free;
    },
  });
}

/** The slots of a service that begin on a date. */
export function useSlots({ teamId, service, provider, quantity }: Asked, date: string) {
  const { api } = useShop();
  const places = quantity ?? 1;
  return useQuery<readonly TimeSlot[]>({
    queryKey: [...TIMES, teamId, "slots", service, provider, places, date],
    enabled: service !== "" && date !== "",
    staleTime: TIMES_FRESH_MS,
    refetchInterval: POLL_MS,
    queryFn: async () => {
      const found = await api.GET("/v1/resources/{resource_id}/availability", {
        path: { resource_id: teamId },
        query: {
          from: date,
          to: addDays(date, 1),
          rate: service,
          ...(provider !== "" && { unit: provider }),
          ...(places > 1 && { quantity: places }),
        },
      });
      return found.type === "times" ? found.slots : [];
    },
  });
}

/** Asks for a team and all of its times anew: what was refused may be a service that it has no longer. */
export function useTimesChanged(teamId: string): () => void {
  const queries = useQueryClient();
  return () => {
    void queries.invalidateQueries({ queryKey: [...TIMES, teamId] });
    void queries.invalidateQueries({ queryKey: ["appointments", "team", teamId] });
  };
}

/** A team whose resource is met elsewhere; undefined while it is not known. */
export function useTeamOf(resourceId: string): Team | undefined {
  return useTeam(resourceId).data;
}
