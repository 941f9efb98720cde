// Days with other hours, or none: the exceptions of a team or of a provider, as lines of a form.
import type { SpecialDays } from "~/api/schema";
import { dayAfter, isDay } from "../reports/days";
import { type SpanDraft, spansDraft, spansFaults, spansOf, USUAL_SPAN } from "./hours";

export type SpecialDraft = {
  readonly first: string;
  /** The last day, as people say it; empty: it is one day. */
  readonly last: string;
  readonly isClosed: boolean;
  readonly spans: readonly SpanDraft[];
};

export const NEW_SPECIAL: SpecialDraft = {
  first: "",
  last: "",
  isClosed: true,
  spans: [USUAL_SPAN],
};

export function specialDraft(of: SpecialDays): SpecialDraft {
  const { date, from, to, closed, hours = [] } = of;
  return {
    first: date ?? from ?? "",
    last: date || !to ? "" : dayAfter(to, -1),
    isClosed: closed ?? false,
    spans: hours.length > 0 ? spansDraft(hours) : NEW_SPECIAL.spans,
  };
}

export function specialOf({ first, last, isClosed, spans }: SpecialDraft): SpecialDays {
  const days =
    last === "" || last === first ? { date: first } : { from: first, to: dayAfter(last, 1) };
  return isClosed ? { ...days, closed: true } : { ...days, hours: spansOf(spans) };
}

/** The names of the fields that cannot be read: "0.first", "1.last", "1.hours", "1.0.overlap". */
export function specialFaults(drafts: readonly SpecialDraft[]): string[] {
  return drafts.flatMap(({ first, last, isClosed, spans }, at) => {
    const hours = isClosed ? [] : spansFaults(spans);
    return [
      ...(isDay(first) ? [] : [`${at}.first`]),
      ...(last !== "" && (!isDay(last) || last < first) ? [`${at}.last`] : []),
      ...(!isClosed && spans.length === 0 ? [`${at}.hours`] : []),
      ...hours.map((name) => `${at}.${name}`),
    ];
  });
}

/** With another day, each once and in order. */
export function withHoliday(holidays: readonly string[], day: string): string[] {
  return [...new Set([...holidays, day])].toSorted();
}
