// The filters of the events in the page's address. What makes no sense there is as good as absent.
import { addDays, isDate } from "../days";
import { isKind, type ProductionKind } from "./kinds";
import { isMonth, weekday } from "../calendar/month";

export type When = "" | "today" | "weekend" | "range";
export type View = "list" | "calendar";
export type Filters = {
  q: string;
  kind: ProductionKind | "";
  venue: string;
  city: string;
  when: When;
  from: string;
  to: string;
  view: View;
  month: string;
};
/** Days from and to, both with; "" is open. */
export type Span = { from: string; to: string };

export const NO_FILTERS: Filters = {
  q: "",
  kind: "",
  venue: "",
  city: "",
  when: "",
  from: "",
  to: "",
  view: "list",
  month: "",
};

export const TEXT_MAX = 100;
const WHENS: readonly string[] = ["today", "weekend", "range"] satisfies When[];

const isWhen = (text: string): text is When => WHENS.includes(text);

export function filtersOf(search: string): Filters {
  const params = new URLSearchParams(search);
  const text = (name: string) => (params.get(name) ?? "").replaceAll("\0", "").slice(0, TEXT_MAX);
  const [kind, when, from, to] = [text("kind"), text("when"), text("from"), text("to")];
  const isRange = when === "range";
  return {
    q: text("q").trim(),
    kind: isKind(kind) ? kind : "",
    venue: /^ven_[0-9a-z]+$/.test(text("venue")) ? text("venue") : "",
    city: text("city"),
    when: isWhen(when) ? when : "",
    from: isRange && isDate(from) ? from : "",
    to: isRange && isDate(to) ? to : "",
    view: text("view") === "calendar" ? "calendar" : "list",
    month: isMonth(text("month")) ? text("month") : "",
  };
}

/** The query string, without what is as it is by itself. */
export function searchOf(filters: Filters): string {
  const chosen = Object.entries(filters).filter(
    ([name, value]) => value !== "" && !(name === "view" && value === "list"),
  );
  return new URLSearchParams(chosen).toString();
}

/** The number of filters that a visitor would clear. */
export function countOfFilters({ q, kind, venue, city, when }: Filters): number {
  return [q, kind, venue + city, when].filter((value) => value !== "").length;
}

/** The days that the filters ask for; `weekend` are days of the week, Monday is 1. */
export function spanOf(
  { when, from, to }: Filters,
  today: string,
  weekend: readonly number[] = [6, 7],
): Span {
  if (when === "today") return { from: today, to: today };
  if (when === "weekend") return weekendFrom(today, weekend);
  // Days that are over have nothing to sell.
  if (when === "range") return { from: from < today ? today : from, to };
  return { from: "", to: "" };
}

function weekendFrom(today: string, weekend: readonly number[]): Span {
  const isFree = (day: string) => weekend.includes(weekday(day));
  let from = today;
  for (let step = 0; step < 7 && !isFree(from); step += 1) from = addDays(from, 1);
  let to = from;
  for (let step = 0; step < 6 && isFree(addDays(to, 1)); step += 1) to = addDays(to, 1);
  return { from, to };
}
