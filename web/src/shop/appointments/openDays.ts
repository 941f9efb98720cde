// Why a day has no free times: whoever gives the service does not work, or all is taken.
import type { FreeDay, FreeDays, Team, TeamService } from "~/api/schema";
import { weekday } from "../calendar/month";
import { addDays } from "../days";

export type DayState = "free" | "full" | "closed" | "too_far";
type Hours = Pick<Team, "weekly" | "exceptions" | "holidays" | "providers" | "horizon_days">;

type OpeningHours = { readonly from: string; readonly to: string };

const MIDNIGHT = "00:00";
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

/** Also by hours of the day before that run on after midnight. */
function worksOn(date: string, name: string, team: Hours): boolean {
  if (hoursOf(date, name, team).length > 0) return true;
  return hoursOf(addDays(date, -1), name, team).some(({ from, to }) => to <= from && to > MIDNIGHT);
}

/** Hours and exceptions of a provider stand in place of the team's; of two exceptions the later counts. */
function hoursOf(date: string, name: string, team: Hours): readonly OpeningHours[] {
  const own = team.providers.find((one) => one.name === name);
  const special = (own?.exceptions ?? team.exceptions ?? []).findLast(
    (one) => one.date === date || (one.from && one.to && one.from <= date && date < one.to),
  );
  if (special !== undefined) return special.closed === true ? [] : (special.hours ?? []);
  if (team.holidays?.includes(date)) return [];
  const day = WEEKDAYS[weekday(date) - 1];
  const weekly = own?.weekly ?? team.weekly ?? [];
  return weekly.filter(({ days }) => day !== undefined && (days ?? WEEKDAYS).includes(day));
}

/** The day that an address asks for; "" for one that is over, or too far ahead to be sold, unless one's own is on it. */
export function wantedDay(
  day: string,
  { horizon_days }: Pick<Team, "horizon_days">,
  today: string,
  ownDay = "",
): string {
  const isSold = day >= today && day <= addDays(today, horizon_days);
  return isSold || day === ownDay ? day : "";
}

/** Before which day nothing is free, where it was not looked further; null for a look at all that is sold. */
export function nothingUntil(
  { looked_until }: Pick<FreeDays, "looked_until">,
  { horizon_days, state }: Pick<Team, "horizon_days" | "state">,
  today: string,
): string | null {
  const isMore = state === "open" && looked_until <= addDays(today, horizon_days);
  return isMore ? looked_until : null;
}

export const SHOWN_DAYS = 14;

/** The first day of the fortnight, from today on, that has a day among its days. */
export function fortnightOf(day: string, today: string): string {
  if (day <= today) return today;
  const ahead = Math.round((Date.parse(day) - Date.parse(today)) / 86_400_000);
  return addDays(today, Math.floor(ahead / SHOWN_DAYS) * SHOWN_DAYS);
}
