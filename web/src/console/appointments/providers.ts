// Who or what gives appointments, as lines of a form.
import type { NewProvider, TeamProvider } from "~/api/schema";
import { NO_HOURS, type WeekDraft, weekDraft, weekFaults, weekOf } from "./hours";
import { type SpecialDraft, specialDraft, specialFaults, specialOf } from "./specialDays";

export type ProviderDraft = {
  /** Which line it is, whatever it is called. */
  readonly key: string;
  /** By which it is known in bookings. */
  readonly name: string;
  /** What guests read, where that is another. */
  readonly title: string;
  /** Hours of its own; null: the team's. None at all: it has left. */
  readonly week: WeekDraft | null;
  /** Days of its own; null: the team's. */
  readonly days: readonly SpecialDraft[] | null;
};

export const PROVIDERS_MAX = 200;

/** The key of a line after these. */
export function nextKey(lines: readonly { key: string }[]): string {
  return String(Math.max(0, ...lines.map(({ key }) => Number(key))) + 1);
}

export function newProvider(others: readonly ProviderDraft[]): ProviderDraft {
  return { key: nextKey(others), name: "", title: "", week: null, days: null };
}

export function providerDrafts(providers: readonly TeamProvider[]): ProviderDraft[] {
  return providers.map(({ name, title, weekly, exceptions }, at) => ({
    key: String(at + 1),
    name,
    title: title === name ? "" : title,
    week: weekly ? weekDraft(weekly) : null,
    days: exceptions ? exceptions.map(specialDraft) : null,
  }));
}

export const hasLeft = ({ week }: ProviderDraft) => week !== null && weekOf(week).length === 0;

/** One that has left: it stays in its bookings, and has no times any more. */
export const leaving = (draft: ProviderDraft): ProviderDraft => ({ ...draft, week: NO_HOURS });

export function providersOf(drafts: readonly ProviderDraft[]): NewProvider[] {
  return drafts.map(({ name, title, week, days }) => ({
    name: name.trim(),
    ...(title.trim() !== "" && title.trim() !== name.trim() && { title: title.trim() }),
    ...(week !== null && { weekly: weekOf(week) }),
    ...(days !== null && { exceptions: days.map(specialOf) }),
  }));
}

/** "providers.0.name", "providers.1.twice", "providers.0.week.mon.0.span", "providers.0.days.0.first". */
export function providerFaults(drafts: readonly ProviderDraft[]): string[] {
  const names = drafts.map(({ name }) => name.trim());
  return drafts
    .flatMap(({ week, days }, at) => [
      ...(names[at] === "" ? [`${at}.name`] : []),
      ...(names[at] !== "" && names.indexOf(names[at] ?? "") !== at ? [`${at}.twice`] : []),
      ...weekFaults(week ?? NO_HOURS).map((name) => `${at}.week.${name}`),
      ...specialFaults(days ?? []).map((name) => `${at}.days.${name}`),
    ])
    .map((name) => `providers.${name}`);
}
