// Why a day has no free times: whoever gives the service does not work, or all is taken.
import type { FreeDay, Team, TeamService } from "~/api/schema";
import { weekday } from "../calendar/month";
import { addDays } from "../days";

export type DayState = "free" | "full" | "closed" | "too_far";
type Hours = Pick<Team, "weekly" | "exceptions" | "holidays" | "providers" | "horizon_days">;

const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

export function dayState(
  { date, free }: Pick<FreeDay, "date" | "free">,
  team: Hours,
  { providers }: Pick<TeamService, "providers">,
  provider: string,
  today: string,
): DayState {
  if (free > 0) return "free";
  if (date > addDays(today, team.horizon_days)) return "too_far";
  const asked = provider === "" ? providers : [provider];
  return asked.some((name) => worksOn(date, name, team)) ? "full" : "closed";
}

/** Hours and exceptions of a provider stand in place of the team's. */
function worksOn(date: string, name: string, team: Hours): boolean {
  const own = team.providers.find((one) => one.name === name);
  const special = (own?.exceptions ?? team.exceptions ?? []).find(
    (one) => one.date === date || (one.from && one.to && one.from <= date && date <= one.to),
  );
  if (special !== undefined) return special.closed !== true && (special.hours ?? []).length > 0;
  if (team.holidays?.includes(date)) return false;
  const day = WEEKDAYS[weekday(date) - 1];
  const weekly = own?.weekly ?? team.weekly ?? [];
  return weekly.some(({ days }) => day !== undefined && (days ?? WEEKDAYS).includes(day));
}

export const SHOWN_DAYS = 14;

/** The first day of the fortnight, from today on, that has a day among its days. */
export function fortnightOf(day: string, today: string): string {
  if (day <= today) return today;
  const ahead = Math.round((Date.parse(day) - Date.parse(today)) / 86_400_000);
  return addDays(today, Math.floor(ahead / SHOWN_DAYS) * SHOWN_DAYS);
}
