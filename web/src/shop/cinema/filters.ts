// The filters of the film list in the page's address. Invalid values are ignored.
import { isDate } from "../days";

export type Filters = {
  city: string;
  date: string;
  language: string;
  format: string;
  genre: string;
  accessible: boolean;
  q: string;
};

export const NO_FILTERS: Filters = {
  city: "",
  date: "",
  language: "",
  format: "",
  genre: "",
  accessible: false,
  q: "",
};

const TEXT_MAX = 100;

export function filtersOf(search: string | URLSearchParams): Filters {
  const params = new URLSearchParams(search);
  const text = (name: string) => (params.get(name) ?? "").replaceAll("\0", "").slice(0, TEXT_MAX);
  const date = text("date");
  return {
    city: /^cty_[0-9a-z]+$/.test(text("city")) ? text("city") : "",
    date: isDate(date) ? date : "",
    language: text("language"),
    format: text("format"),
    genre: text("genre"),
    accessible: params.get("accessible") === "true",
    q: text("q"),
  };
}

/** The query string, without empty filters. */
export function searchOf(filters: { [K in keyof Filters]?: Filters[K] | undefined }): string {
  const chosen = Object.entries(filters).filter(([, value]) => value);
  return new URLSearchParams(chosen.map(([name, value]) => [name, String(value)])).toString();
}

/** The number of active filters, without city and day. */
export function countOfFilters(filters: Filters): number {
  const { language, format, genre, accessible, q } = filters;
  return [language, format, genre, q].filter((value) => value !== "").length + (accessible ? 1 : 0);
}
