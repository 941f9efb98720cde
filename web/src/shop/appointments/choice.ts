// What one chooses on the page of a team, as it stands in the address. What makes no sense there is as good as absent.
import type { Team, TeamService } from "~/api/schema";
import { isDate } from "../days";

/** The names of a service and of who gives it, and a date; "" is none, or anyone. */
export type Choice = { readonly service: string; readonly provider: string; readonly date: string };

type Of = Pick<Team, "services" | "providers">;

export function choiceOf(search: string, team: Of): Choice {
  const params = new URLSearchParams(search);
  const [asked, provider, date] = ["service", "provider", "date"].map((of) => params.get(of) ?? "");
  const service = serviceOf(team, asked ?? "");
  const gives = service?.providers.includes(provider ?? "") ?? false;
  return {
    service: service?.name ?? "",
    provider: gives ? (provider ?? "") : "",
    date: isDate(date ?? "") ? (date ?? "") : "",
  };
}

/** The only service there is needs no choice. */
export function serviceOf({ services }: Of, name: string): TeamService | undefined {
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
  const chosen = Object.entries(choice).filter(([, value]) => value !== "");
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
