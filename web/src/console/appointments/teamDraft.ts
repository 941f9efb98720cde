// The form of a team: who gives appointments where and when, what one books of them, and by which rules.
import type { MerchantView, NewTeam, Team, TeamChange } from "~/api/schema";
import { readTranslations, type Translated, writeTranslations } from "~/translations/translated";
import { readAmount, readWhole } from "../programme/amounts";
import { differing } from "../saving/changes";
import { type Payment, readHold } from "../programme/dateDraft";
import {
  type TermsDraft,
  termsDraft,
  termsFaults,
  termsPricing,
  termsTexts,
} from "../programme/terms";
import { USUAL_WEEK, type WeekDraft, weekDraft, weekFaults, weekOf } from "./hours";
import {
  newProvider,
  type ProviderDraft,
  providerDrafts,
  providerFaults,
  providersOf,
} from "./providers";
import {
  newService,
  type ServiceDraft,
  serviceDrafts,
  serviceFaults,
  servicesOf,
} from "./services";
import { type SpecialDraft, specialDraft, specialFaults, specialOf } from "./specialDays";
import { NOTICE_MAX, type NoticeDraft, noticeDraft, noticeMinutes } from "./notice";

export type TeamDraft = {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly address: string;
  readonly city: string;
  readonly country: string;
  readonly zone: string;
  readonly currency: string;
  readonly payment: Payment;
  readonly week: WeekDraft;
  readonly days: readonly SpecialDraft[];
  readonly holidays: readonly string[];
  readonly providers: readonly ProviderDraft[];
  readonly services: readonly ServiceDraft[];
  /** Every how many minutes a time may begin. */
  readonly step: string;
  readonly notice: NoticeDraft;
  /** How many days ahead one can book. */
  readonly horizon: string;
  /** Places of each time: more than one for a class. */
  readonly capacity: string;
  readonly limit: string;
  readonly holdMinutes: string;
  readonly terms: TermsDraft;
  readonly translated: Translated;
};

const MINUTES_OF_DAY = 1440;
const HORIZON_MAX = 366;
const PLACES_MAX = 1_000_000;
const MINUTE_SECONDS = 60;

/** A new team begins in the merchant's country, zone and currency, with the hours of an office. */
export function newTeamDraft(merchant: MerchantView): TeamDraft {
  const currency = merchant.currency ?? "";
  return {
    name: "",
    summary: "",
    description: "",
    address: "",
    city: "",
    country: merchant.country ?? "",
    zone: merchant.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone ?? "",
    currency,
    payment: "required",
    week: USUAL_WEEK,
    days: [],
    holidays: [],
    providers: [newProvider([])],
    services: [newService([])],
    step: "15",
    notice: { count: "1", unit: "hours" },
    horizon: "60",
    capacity: "1",
    limit: "",
    holdMinutes: "10",
    terms: termsDraft(null, currency),
    translated: {},
  };
}

export function teamDraft(of: Team): TeamDraft {
  const { currency, step_minutes: step } = of;
  const providers = providerDrafts(of.providers);
  const draft = {
    name: of.name,
    summary: of.summary,
    description: of.description,
    address: of.address,
    city: of.city,
    country: of.country ?? "",
    zone: of.time_zone,
    currency,
    // What is free needs no rule; once it has a price, it is paid as usual.
    payment: isFree(of.services) && of.payment === "none" ? ("required" as const) : of.payment,
    week: weekDraft(of.weekly ?? []),
    days: (of.exceptions ?? []).map(specialDraft),
    holidays: of.holidays ?? [],
    providers,
    services: serviceDrafts(of.services, { currency, step, providers }),
    step: String(step),
    notice: noticeDraft(of.notice_minutes),
    horizon: String(of.horizon_days),
    capacity: String(of.capacity),
    limit: of.owner_limit === null ? "" : String(of.owner_limit),
    holdMinutes: String(of.hold_seconds / MINUTE_SECONDS),
    terms: termsDraft(of.pricing, currency),
  };
  return { ...draft, translated: readTranslations(of.translations ?? [], teamTexts(draft)) };
}

const isFree = (services: readonly { price?: number }[]) => services.every(({ price }) => !price);

/** What guests read of it, by the names of the fields; those of lines go by the line, so that a
 * translation stays with it. */
export function teamTexts(
  of: Pick<TeamDraft, "name" | "summary" | "description" | "city"> &
    Pick<TeamDraft, "providers" | "services" | "terms">,
): Record<string, string> {
  const line = (name: string, text: string): [string, string] => [name, text];
  const lines = [
    ...of.providers.map((one) => line(`provider ${one.key}`, one.title.trim() || one.name)),
    ...of.services.map((one) => line(`service ${one.key}`, one.name)),
    ...of.services.map((one) => line(`about ${one.key}`, one.description)),
    ...termsTexts(of.terms),
  ];
  const { name, summary, description, city } = of;
  const texts = [...Object.entries({ name, summary, description, city }), ...lines];
  return Object.fromEntries(
    texts.map(([field, text]) => [field, written(text)]).filter(([, text]) => text !== ""),
  );
}

const written = (text: string) => text.replaceAll("\r\n", "\n").trim();

/** The names of the fields that cannot be read, with those of lines as "services.0.price". */
export function teamFaults(draft: TeamDraft): string[] {
  const { currency } = draft;
  const faults: string[] = [];
  const isWhole = (text: string, least: number, most: number) =>
    readWhole(text, least, most) !== null;
  if (draft.name.trim() === "") faults.push("name");
  if (draft.zone.trim() === "") faults.push("zone");
  if (!/^[A-Za-z]{3}$/u.test(currency.trim())) faults.push("currency");
  if (!isWhole(draft.step, 1, MINUTES_OF_DAY)) faults.push("step");
  const notice = noticeMinutes(draft.notice);
  if (notice === null || notice > NOTICE_MAX) faults.push("notice");
  if (!isWhole(draft.horizon, 0, HORIZON_MAX)) faults.push("horizon");
  if (!isWhole(draft.capacity, 1, PLACES_MAX)) faults.push("capacity");
  if (draft.limit.trim() !== "" && !isWhole(draft.limit, 1, PLACES_MAX)) faults.push("limit");
  if (readHold(draft.holdMinutes) === null) faults.push("holdMinutes");
  return [
    ...faults,
    ...(hasHours(draft) ? [] : ["week.none"]),
    ...weekFaults(draft.week).map((name) => `week.${name}`),
    ...specialFaults(draft.days).map((name) => `days.${name}`),
    ...providerFaults(draft.providers),
    ...serviceFaults(draft.services, draft.providers, currency),
    ...termsFaults(draft.terms, currency),
  ];
}

/** Whether whoever has no hours of their own has some of the team, by the week or on other days. */
function hasHours({ week, days, providers }: TeamDraft): boolean {
  if (weekOf(week).length > 0) return true;
  return providers.every(
    (one) => one.week !== null || (one.days ?? days).some(({ isClosed }) => !isClosed),
  );
}

/** Whether nothing of it costs anything, as far as its prices can be read. */
export function costsNothing({ services, currency }: TeamDraft): boolean {
  return services.every(({ price }) => !readAmount(price, currency));
}

/** What a team is made of or changed to: `before` is what the form began with, `now` has what the form
 * does not show. */
function said(draft: TeamDraft, before: Team | null, now = before) {
  const currency = draft.currency.trim().toUpperCase();
  const hold = readHold(draft.holdMinutes) ?? 0;
  const services = servicesOf(draft.services, draft.providers, currency);
  return {
    name: draft.name.trim(),
    summary: draft.summary.trim(),
    description: written(draft.description),
    address: draft.address.trim(),
    city: draft.city.trim(),
    country: draft.country === "" ? null : draft.country,
    payment: isFree(services) ? ("none" as const) : draft.payment,
    weekly: weekOf(draft.week),
    exceptions: draft.days.map(specialOf),
    holidays: [...draft.holidays],
    providers: providersOf(draft.providers),
    services,
    step_minutes: readWhole(draft.step, 1, MINUTES_OF_DAY) ?? 1,
    notice_minutes: noticeMinutes(draft.notice) ?? 0,
    horizon_days: readWhole(draft.horizon, 0, HORIZON_MAX) ?? 0,
    capacity: readWhole(draft.capacity, 1, PLACES_MAX) ?? 1,
    owner_limit: draft.limit.trim() === "" ? null : readWhole(draft.limit, 1, PLACES_MAX),
    hold_seconds: hold,
    hold_seconds_max: hold * 3,
    pricing: termsPricing(draft.terms, currency, now?.pricing),
    // Those of the questions stay as they are.
    translations: writeTranslations(
      draft.translated,
      teamTexts(draft),
      before === null ? {} : teamTexts(teamDraft(before)),
      now?.translations ?? [],
    ),
  };
}

export function newTeam(draft: TeamDraft): NewTeam {
  return {
    time_zone: draft.zone.trim(),
    currency: draft.currency.trim().toUpperCase(),
    published: false,
    ...said(draft, null),
  };
}

/** Only what was changed since `before`: the rest stays as it is `now`, also where it was made elsewhere. */
export function teamChange(before: Team, draft: TeamDraft, now: Team = before): TeamChange {
  const after = said(draft, before, now);
  const names = differing(said(teamDraft(before), before, now), after);
  // The longest hold follows the usual one only where that is changed.
  if (!names.has("hold_seconds")) names.delete("hold_seconds_max");
  // A service may name all who are there, or the team's own step: an answer does not tell these from one
  // that says nothing, as the form does. What it shows is said where it makes a difference.
  if (names.has("providers") || names.has("step_minutes")) names.add("services");
  return Object.fromEntries(Object.entries(after).filter(([name]) => names.has(name)));
}

/** All that the form says of a team; what of the translations it does not show is nobody's here. */
export const teamOwn = (of: Team): object => said(teamDraft(of), of, { ...of, translations: [] });
