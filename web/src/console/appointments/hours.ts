// Opening hours as a form has them: for each day of the week its spans, in order. The API has them as
// rules, each with the days that it is for.
import type { Hours, WeeklyHours } from "~/api/schema";
import { WEEKDAYS, type Weekday } from "../programme/clocks";

/** Clock times as the fields of a form have them ("09:30"); one that ends at "00:00" ends with the day. */
export type SpanDraft = { readonly from: string; readonly to: string };
export type WeekDraft = Readonly<Record<Weekday, readonly SpanDraft[]>>;

export const NO_HOURS: WeekDraft = {
  mon: [],
  tue: [],
  wed: [],
  thu: [],
  fri: [],
  sat: [],
  sun: [],
};
export const USUAL_SPAN: SpanDraft = { from: "09:00", to: "17:00" };
export const USUAL_WEEK: WeekDraft = {
  ...NO_HOURS,
  ...Object.fromEntries(WEEKDAYS.slice(0, 5).map((day) => [day, [USUAL_SPAN]])),
};
export const SPANS_MAX = 8;

const MIDNIGHT = "00:00";
const DAY_END = "24:00";
const MINUTES_OF_DAY = 1440;

export function weekDraft(weekly: readonly WeeklyHours[]): WeekDraft {
  const days = WEEKDAYS.map((day): [Weekday, readonly SpanDraft[]] => [
    day,
    spansDraft(weekly.filter(({ days: of = WEEKDAYS }) => of.includes(day))),
  ]);
  return { ...NO_HOURS, ...Object.fromEntries(days) };
}

/** The rules to send: days with the same span share one. */
export function weekOf(draft: WeekDraft): WeeklyHours[] {
  const rules = new Map<string, { hours: Hours; days: Weekday[] }>();
  for (const day of WEEKDAYS)
    for (const hours of spansOf(draft[day])) {
      const name = `${hours.from} ${hours.to}`;
      const rule = rules.get(name) ?? { hours, days: [] };
      rule.days.push(day);
      rules.set(name, rule);
    }
  return [...rules.values()].map(({ hours, days }) => ({ ...hours, days }));
}

export function spansDraft(hours: readonly Hours[]): SpanDraft[] {
  return hours
    .map(({ from, to }) => ({ from, to: to === DAY_END ? MIDNIGHT : to }))
    .toSorted((one, other) => one.from.localeCompare(other.from));
}

export function spansOf(spans: readonly SpanDraft[]): Hours[] {
  return spans
    .map(({ from, to }) => ({ from, to: to === MIDNIGHT ? DAY_END : to }))
    .toSorted((one, other) => one.from.localeCompare(other.from));
}

/** The names of the spans that cannot be: "mon.0.span" has no length, "mon.1.overlap" begins in another. */
export function weekFaults(draft: WeekDraft): string[] {
  return WEEKDAYS.flatMap((day) => spansFaults(draft[day]).map((name) => `${day}.${name}`));
}

export function spansFaults(spans: readonly SpanDraft[]): string[] {
  const read = spans.map(minutesOf);
  return read.flatMap((span, at) => {
    if (span === null) return [`${at}.span`];
    const isIn = read.some(
      (other, place) =>
        other !== null &&
        place !== at &&
        (other.begin < span.begin || (other.begin === span.begin && place < at)) &&
        other.end > span.begin,
    );
    return isIn ? [`${at}.overlap`] : [];
  });
}

/** From midnight on; an end that is not later is of the next day, as that of a night. */
function minutesOf({ from, to }: SpanDraft): { begin: number; end: number } | null {
  const [begin, end] = [clockMinutes(from), clockMinutes(to)];
  if (begin === null || end === null || (begin === end && to !== MIDNIGHT)) return null;
  return { begin, end: end > begin ? end : end + MINUTES_OF_DAY };
}

export function clockMinutes(text: string): number | null {
  const found = /^([01]\d|2[0-3]):([0-5]\d)$/u.exec(text);
  return found === null ? null : Number(found[1]) * 60 + Number(found[2]);
}

/** The hours of one day for all others too, or for those to Friday. */
export function copied(draft: WeekDraft, from: Weekday, to: readonly Weekday[]): WeekDraft {
  return { ...draft, ...Object.fromEntries(to.map((day) => [day, draft[from]])) };
}

/** A span after the last, as one would go on: after lunch, until the evening. */
export function nextSpan(spans: readonly SpanDraft[]): SpanDraft {
  const last = spans.at(-1);
  const end = last === undefined ? null : clockMinutes(last.to);
  if (end === null || end === 0) return USUAL_SPAN;
  const begin = Math.min(end + 60, MINUTES_OF_DAY - 120);
  return { from: clock(begin), to: clock(Math.max(begin + 60, 18 * 60)) };
}

function clock(minutes: number): string {
  const of = minutes % MINUTES_OF_DAY;
  return `${String(Math.floor(of / 60)).padStart(2, "0")}:${String(of % 60).padStart(2, "0")}`;
}
