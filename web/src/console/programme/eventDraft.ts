// The form of an event: a production as fields, and what to send.
import type { NewProduction, Production } from "~/api/schema";
import { readWhole } from "./amounts";
import { changed } from "../saving/changes";
import { readTranslations, type Translated, writeTranslations } from "~/translations/translated";

export const KINDS = [
  "concert",
  "theatre",
  "talk",
  "comedy",
  "dance",
  "party",
  "sport",
  "family",
  "other",
] as const;
export type Kind = (typeof KINDS)[number];

export type EventDraft = {
  readonly title: string;
  readonly kind: Kind;
  readonly series: string;
  /** One to a line. */
  readonly performers: string;
  readonly summary: string;
  readonly description: string;
  readonly minutes: string;
  readonly age: string;
  readonly website: string;
  readonly pictureText: string;
  readonly translated: Translated;
};

const NEW: EventDraft = {
  title: "",
  kind: "concert",
  series: "",
  performers: "",
  summary: "",
  description: "",
  minutes: "",
  age: "",
  website: "",
  pictureText: "",
  translated: {},
};

const MINUTES_MAX = 1440;
const AGE_MAX = 99;

/** What guests read, by the names of the fields; a performer has the name of who it is, so that a
 * translation stays with them when the lines move. */
const typedOf = (draft: EventDraft): Record<string, string> => ({
  title: draft.title,
  series: draft.series,
  ...Object.fromEntries(performersOf(draft).map((name) => [performerField(name), name])),
  summary: draft.summary,
  description: draft.description,
  pictureText: draft.pictureText,
});

export const performerField = (name: string) => `performer ${name}`;

/** Each of them once. */
export function performersOf({ performers }: Pick<EventDraft, "performers">): string[] {
  const names = performers.split("\n").map((name) => name.trim());
  return [...new Set(names)].filter((name) => name !== "");
}

export function eventDraft(of: Production | null): EventDraft {
  if (of === null) return NEW;
  const draft = {
    ...textsOf(of),
    kind: of.kind,
    minutes: of.minutes === null ? "" : String(of.minutes),
    age: of.age_from === null ? "" : String(of.age_from),
    website: of.website ?? "",
  };
  return { ...draft, translated: readTranslations(of.translations ?? [], typedOf(draft)) };
}

export function eventFaults(draft: EventDraft): (keyof EventDraft)[] {
  const faults: (keyof EventDraft)[] = [];
  if (draft.title.trim() === "") faults.push("title");
  if (draft.minutes !== "" && readWhole(draft.minutes, 1, MINUTES_MAX) === null)
    faults.push("minutes");
  if (draft.age !== "" && readWhole(draft.age, 0, AGE_MAX) === null) faults.push("age");
  return faults;
}

/** All that the form says; what is empty is null, so that it is taken away. */
export function eventOf(draft: EventDraft, before: Production | null, now = before): NewProduction {
  const said = (text: string) => (text.trim() === "" ? null : text.trim());
  return {
    title: draft.title.trim(),
    kind: draft.kind,
    series: said(draft.series),
    performers: draft.performers
      .split("\n")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
    summary: draft.summary.trim(),
    description: draft.description.replaceAll("\r\n", "\n").trim(),
    minutes: draft.minutes === "" ? null : readWhole(draft.minutes, 1, MINUTES_MAX),
    age_from: draft.age === "" ? null : readWhole(draft.age, 0, AGE_MAX),
    website: said(draft.website),
    picture_text: said(draft.pictureText),
    translations: writeTranslations(
      draft.translated,
      typedOf(draft),
      typedOf(textsOf(before)),
      now?.translations ?? [],
    ),
  };
}

/** Only what was changed since `before`: the rest stays as it is `now`, also where it was made elsewhere. */
export function eventChange(before: Production, draft: EventDraft, now = before) {
  return changed(eventOf(eventDraft(before), before, now), eventOf(draft, before, now));
}

const textsOf = (before: Production | null): EventDraft => ({
  ...NEW,
  title: before?.title ?? "",
  series: before?.series ?? "",
  performers: before?.performers.join("\n") ?? "",
  summary: before?.summary ?? "",
  description: before?.description ?? "",
  pictureText: before?.picture_text ?? "",
});
