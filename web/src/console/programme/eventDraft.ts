// The form of an event: a production as fields, and what to send.
import type { NewProduction, Production } from "~/api/schema";
import { readWhole } from "./amounts";
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

const typedOf = ({ title, summary, description, pictureText }: EventDraft) => ({
  title,
  summary,
  description,
  pictureText,
});

export function eventDraft(of: Production | null): EventDraft {
  if (of === null) return NEW;
  const draft = {
    ...NEW,
    title: of.title,
    kind: of.kind,
    series: of.series ?? "",
    performers: of.performers.join("\n"),
    summary: of.summary,
    description: of.description,
    minutes: of.minutes === null ? "" : String(of.minutes),
    age: of.age_from === null ? "" : String(of.age_from),
    website: of.website ?? "",
    pictureText: of.picture_text ?? "",
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

/** What to send: all of it, so that what was emptied is taken away. */
export function eventOf(draft: EventDraft, before: Production | null): NewProduction {
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
      typedOf(eventDraftTexts(before)),
      before?.translations ?? [],
    ),
  };
}

const eventDraftTexts = (before: Production | null): EventDraft => ({
  ...NEW,
  title: before?.title ?? "",
  summary: before?.summary ?? "",
  description: before?.description ?? "",
  pictureText: before?.picture_text ?? "",
});
