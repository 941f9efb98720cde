// The form of a film: its texts as fields, what cannot be read of them, and the calls to make.
import type { Film, FilmChange, NewFilm } from "~/api/schema";
import { readTranslations, type Translated, writeTranslations } from "~/translations/translated";
import { readWhole } from "../programme/amounts";
import { changed } from "../saving/changes";
import { areFit, lines } from "./lines";

export type FilmDraft = {
  readonly title: string;
  readonly original: string;
  readonly minutes: string;
  /** As `2030-03-07`. */
  readonly released: string;
  readonly rating: string;
  /** One in each line; so is the cast. */
  readonly genres: string;
  readonly director: string;
  readonly cast: string;
  readonly tagline: string;
  readonly synopsis: string;
  readonly translated: Translated;
};

const MINUTES_MAX = 1000;
const GENRES_MAX = 10;
const GENRE_MAX = 40;
const CAST_MAX = 30;
const PLAYER_MAX = 100;

const NEW: FilmDraft = {
  title: "",
  original: "",
  minutes: "",
  released: "",
  rating: "",
  genres: "",
  director: "",
  cast: "",
  tagline: "",
  synopsis: "",
  translated: {},
};

/** What guests read, by the names of the fields; a genre has its own name, so that a translation stays
 * with it when the lines move. Languages and formats are those of its shows. */
const typedOf = (draft: FilmDraft, shown: readonly string[]): Record<string, string> => ({
  title: draft.title,
  tagline: draft.tagline,
  synopsis: draft.synopsis.replaceAll("\r\n", "\n"),
  rating: draft.rating,
  ...Object.fromEntries(lines(draft.genres).map((name) => [wordField(name), name])),
  ...Object.fromEntries(shown.map((name) => [wordField(name), name])),
});

/** A genre, a language or a format. */
export const wordField = (name: string) => `word ${name}`;

export const shownOf = (of: Film | null): string[] =>
  of === null ? [] : [...of.languages, ...of.formats];

/** All single words of a film, each once. */
export const wordsOf = ({ genres }: FilmDraft, shown: readonly string[]) => [
  ...new Set([...lines(genres), ...shown]),
];

export function filmDraft(of: Film | null): FilmDraft {
  if (of === null) return NEW;
  const draft = textsOf(of);
  const typed = typedOf(draft, shownOf(of));
  return { ...draft, translated: readTranslations(of.translations ?? [], typed) };
}

function textsOf(of: Film): FilmDraft {
  return {
    ...NEW,
    title: of.title,
    original: of.original_title ?? "",
    minutes: String(of.minutes),
    released: of.released,
    rating: of.rating,
    genres: of.genres.join("\n"),
    director: of.director,
    cast: of.cast.join("\n"),
    tagline: of.tagline,
    synopsis: of.synopsis,
  };
}

export function filmFaults(draft: FilmDraft): (keyof FilmDraft)[] {
  const faults: (keyof FilmDraft)[] = [];
  if (draft.title.trim() === "") faults.push("title");
  if (readWhole(draft.minutes, 1, MINUTES_MAX) === null) faults.push("minutes");
  if (draft.released === "") faults.push("released");
  if (!areFit(lines(draft.genres), GENRES_MAX, GENRE_MAX)) faults.push("genres");
  if (!areFit(lines(draft.cast), CAST_MAX, PLAYER_MAX)) faults.push("cast");
  return faults;
}

export function newFilm(draft: FilmDraft): NewFilm {
  return said(draft, null);
}

/** All that the form says of a film. */
export const filmOwn = (of: Film): object => ({
  ...said(textsOf(of), null),
  translations: of.translations ?? [],
});

/** Only what was changed since the form began: the rest stays as it is `now`, also where others changed it. */
export function filmChange(began: Film, draft: FilmDraft, now = began): FilmChange {
  return changed(said(filmDraft(began), began, now), said(draft, began, now));
}

function said(draft: FilmDraft, before: Film | null, now = before) {
  const original = draft.original.trim();
  const shown = shownOf(before);
  return {
    title: draft.title.trim(),
    original_title: original === "" ? null : original,
    minutes: readWhole(draft.minutes, 1, MINUTES_MAX) ?? 1,
    released: draft.released,
    rating: draft.rating.trim(),
    genres: lines(draft.genres),
    director: draft.director.trim(),
    cast: lines(draft.cast),
    tagline: draft.tagline.trim(),
    synopsis: draft.synopsis.replaceAll("\r\n", "\n").trim(),
    translations: writeTranslations(
      draft.translated,
      typedOf(draft, shown),
      before === null ? {} : typedOf(textsOf(before), shown),
      now?.translations ?? [],
    ),
  };
}
