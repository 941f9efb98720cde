// What one books of a team, as lines of a form.
import type { NewService, TeamService } from "~/api/schema";
import { readAmount, readWhole, writeAmount } from "../programme/amounts";
import { nextKey, type ProviderDraft } from "./providers";

export type ServiceDraft = {
  /** Which line it is, whatever it is called. */
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly minutes: string;
  readonly price: string;
  /** Every how many minutes one may begin; empty: as the team's times. */
  readonly step: string;
  readonly before: string;
  readonly after: string;
  /** The lines of those who give it; null: everybody, also who comes later. */
  readonly givers: readonly string[] | null;
};

export const SERVICES_MAX = 100;
const MINUTES_OF_DAY = 1440;

export function newService(others: readonly ServiceDraft[]): ServiceDraft {
  return {
    key: nextKey(others),
    name: "",
    description: "",
    minutes: "30",
    price: "",
    step: "",
    before: "",
    after: "",
    givers: null,
  };
}

type Of = { currency: string; step: number; providers: readonly ProviderDraft[] };

export function serviceDrafts(services: readonly TeamService[], of: Of): ServiceDraft[] {
  const { currency, step, providers } = of;
  return services.map((one, at) => ({
    key: String(at + 1),
    name: one.name,
    description: one.description ?? "",
    minutes: String(one.minutes),
    price: writeAmount(one.price, currency),
    step: one.step_minutes === step ? "" : String(one.step_minutes),
    before: one.buffer_before_minutes ? String(one.buffer_before_minutes) : "",
    after: one.buffer_after_minutes ? String(one.buffer_after_minutes) : "",
    givers:
      one.providers.length === providers.length
        ? null
        : providers.filter(({ name }) => one.providers.includes(name)).map(({ key }) => key),
  }));
}

export function servicesOf(
  drafts: readonly ServiceDraft[],
  providers: readonly ProviderDraft[],
  currency: string,
): NewService[] {
  return drafts.map((one) => {
    const minutes = (text: string) => readWhole(text, 1, MINUTES_OF_DAY);
    const [step, before, after] = [one.step, one.before, one.after].map(minutes);
    return {
      name: one.name.trim(),
      description: one.description.replaceAll("\r\n", "\n").trim(),
      minutes: minutes(one.minutes) ?? 1,
      price: readAmount(one.price, currency) ?? 0,
      ...(step && { step_minutes: step }),
      ...(before && { buffer_before_minutes: before }),
      ...(after && { buffer_after_minutes: after }),
      ...(!isOfAll(one, providers) && {
        providers: giversOf(one, providers).map(({ name }) => name.trim()),
      }),
    };
  });
}

/** Those who give a service, of who is still there. */
export function giversOf(
  { givers }: ServiceDraft,
  providers: readonly ProviderDraft[],
): readonly ProviderDraft[] {
  return givers === null ? providers : providers.filter(({ key }) => givers.includes(key));
}

/** Whether everybody gives it, ticked or not: that is also who comes later, as an answer reads that does
 * not tell the two apart. */
const isOfAll = (of: ServiceDraft, providers: readonly ProviderDraft[]) =>
  giversOf(of, providers).length === providers.length;

/** "services.0.name", "services.0.twice", ".minutes", ".price", ".step", ".before", ".after", ".givers". */
export function serviceFaults(
  drafts: readonly ServiceDraft[],
  providers: readonly ProviderDraft[],
  currency: string,
): string[] {
  const names = drafts.map(({ name }) => name.trim());
  const isMinutes = (text: string, least: number) =>
    readWhole(text, least, MINUTES_OF_DAY) !== null;
  return drafts
    .flatMap((one, at) => [
      ...(names[at] === "" ? [`${at}.name`] : []),
      ...(names[at] !== "" && names.indexOf(names[at] ?? "") !== at ? [`${at}.twice`] : []),
      ...(isMinutes(one.minutes, 1) ? [] : [`${at}.minutes`]),
      ...(readAmount(one.price, currency) === null ? [`${at}.price`] : []),
      ...(one.step.trim() === "" || isMinutes(one.step, 1) ? [] : [`${at}.step`]),
      ...(["before", "after"] as const)
        .filter((name) => one[name].trim() !== "" && !isMinutes(one[name], 0))
        .map((name) => `${at}.${name}`),
      ...(giversOf(one, providers).length === 0 ? [`${at}.givers`] : []),
    ])
    .map((name) => `services.${name}`);
}
