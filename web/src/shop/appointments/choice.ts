// What one chooses on the page of a team, as it stands in the address. What makes no sense there is as good as absent.
import type { Team, TeamService } from "~/api/schema";
import { isDate } from "../days";

/** The names of a service and of who gives it, and a date; "" is none, or anyone. Of a class, how many places. */
export type Choice = {
  readonly service: string;
  readonly provider: string;
  readonly date: string;
  readonly places: number;
};

type Of = Pick<Team, "services" | "providers" | "capacity" | "owner_limit">;

export function choiceOf(search: string, team: Of): Choice {
  const params = new URLSearchParams(search);
  const [asked, provider, date] = ["service", "provider", "date"].map((of) => params.get(of) ?? "");
  const service = serviceOf(team, asked ?? "");
  const gives = service?.providers.includes(provider ?? "") ?? false;
  return {
    service: service?.name ?? "",
    provider: gives ? (provider ?? "") : "",
    date: isDate(date ?? "") ? (date ?? "") : "",
    places: placesOf(params.get("places"), team),
  };
}

/** The most places that one may book of a time. */
export function placesMax({ capacity, owner_limit }: Pick<Of, "capacity" | "owner_limit">): number {
  return Math.max(1, Math.min(capacity, owner_limit ?? capacity));
}

function placesOf(asked: string | null, team: Of): number {
  const places = /^\d{1,7}$/.test(asked ?? "") ? Number(asked) : 1;
  return Math.max(1, Math.min(places, placesMax(team)));
}

/** The only service there is needs no choice. */
export function serviceOf(
  { services }: Pick<Of, "services">,
  name: string,
): TeamService | undefined {
  return (
    services.find((one) => one.name === name) ?? (services.length === 1 ? services[0] : undefined)
  );
}

/** Another service is given by others: who does not give it is chosen no longer. */
export function withService(choice: Choice, service: TeamService): Choice {
  const provider = service.providers.includes(choice.provider) ? choice.provider : "";
  return { ...choice, service: service.name, provider };
}

/** The query string, without what was not chosen. */
export function searchOf(choice: Choice): string {
  const { places, ...names } = choice;
  const chosen = Object.entries(names).filter(([, value]) => value !== "");
  if (places > 1) chosen.push(["places", String(places)]);
  return new URLSearchParams(chosen).toString();
}

/** The name that people read; that of a provider who has gone is what is known. */
export function titleOf(of: readonly { name: string; title: string }[], name: string): string {
  return of.find((one) => one.name === name)?.title ?? name;
}

export function teamHref(teamId: string, choice?: Choice): string {
  const search = choice === undefined ? "" : searchOf(choice);
  return `/appointments/${teamId}${search === "" ? "" : `?${search}`}`;
}
