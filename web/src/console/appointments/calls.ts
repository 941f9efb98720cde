// What the pages of appointments read, each under a key that its changes name.
import { useQuery } from "@tanstack/react-query";
import { dayAfter, dayOf } from "../reports/days";
import { api } from "../session";

export const APPOINTMENTS = ["appointments"];
export const TEAMS_PATH = "/v1/appointments/teams";
const AGENDA_REFRESH_MS = 15_000;
const NEXT_FRESH_MS = 60_000;

export const teamKey = (id: string) => [...APPOINTMENTS, "team", id];

export function useTeam(id: string) {
  return useQuery({
    queryKey: teamKey(id),
    queryFn: () => api.GET("/v1/appointments/teams/{team_id}", { path: { team_id: id } }),
    // What is being typed is not replaced.
    refetchOnWindowFocus: false,
  });
}

export const agendaKey = (id: string) => [...APPOINTMENTS, "agenda", id];

/** The appointments of a day; without one, of today by the clocks of the team. */
export function useAgenda(id: string, date: string) {
  return useQuery({
    queryKey: [...agendaKey(id), date],
    refetchInterval: AGENDA_REFRESH_MS,
    queryFn: () =>
      api.GET("/v1/appointments/teams/{team_id}/agenda", {
        path: { team_id: id },
        query: { ...(date !== "" && { date }) },
      }),
  });
}

/** When a service is free next; it does not matter to the minute. The answer looks on from the few days
 * that are asked for, which have today's of every zone. */
export function useNextFree(id: string, service: string) {
  return useQuery({
    queryKey: [...APPOINTMENTS, "next", id, service],
    staleTime: NEXT_FRESH_MS,
    queryFn: () => {
      const today = dayOf(new Date());
      return api.GET("/v1/appointments/teams/{team_id}/free-days", {
        path: { team_id: id },
        query: { service, from: dayAfter(today, -1), to: dayAfter(today, 2) },
      });
    },
    select: ({ next_free: next }) => next,
  });
}
