// The rules of a plan of nights as a calendar, and back. A rule with a first and a last night is
// dated; the others are standing: what is usual. A change of some nights rewrites the dated rules as
// few ranges that do not overlap, so that however often one changes, there are no more of them than
// nights that differ from what is usual. Suggested prices are rules of their own, behind these: they
// stay, but for the nights whose price was said by hand.
import type { NightRule, NightsPlan } from "~/api/schema";
import { WEEKDAYS, type Weekday, weekdayOf } from "../programme/clocks";
import { dayAfter } from "../reports/days";
import { nightsBetween } from "./nightRange";
import { STAY_MAX } from "./rules";

/** What a rule says of its nights. */
type SaidName = Exclude<keyof NightRule, "from" | "to" | "days" | "suggested">;
export type Said = { readonly [Name in SaidName]?: NonNullable<NightRule[Name]> };
/** What some nights are to be: `usual` takes the dated rules away. */
export type NightChange = "usual" | ((night: string, now: SoldNight) => Said);
/** What a plan says of a night. */
export type SoldNight = {
  readonly price: number;
  readonly min_nights: number;
  readonly max_nights: number;
  readonly min_through: number;
  readonly max_through: number;
  readonly closed: boolean;
  readonly closed_to_arrival: boolean;
  readonly closed_to_departure: boolean;
};
type Plan = Pick<NightsPlan, "rules" | "price" | "min_nights" | "max_nights">;
type Dated = Map<string, Said>;

export const RULES_MAX = 3000;
/** A rule for more nights than can be on sale is as one without an end: it is what is usual. */
export const DATED_NIGHTS_MAX = 1100;
/** Dated rules are kept for a year after their nights, to look them up. */
const KEPT_DAYS = 366;
const NAMES: readonly SaidName[] = [
  "price",
  "min_nights",
  "max_nights",
  "min_through",
  "max_through",
  "closed",
  "closed_to_arrival",
  "closed_to_departure",
  "count",
];

/** What each of these nights is by the plan; `base` is what the listing costs where it says nothing. */
export function soldNights(
  plan: Plan,
  base: number,
  nights: readonly string[],
): Map<string, SoldNight> {
  const rules = plan.rules ?? [];
  const usual: SoldNight = {
    price: plan.price ?? base,
    min_nights: plan.min_nights ?? 1,
    max_nights: plan.max_nights ?? STAY_MAX,
    min_through: 1,
    max_through: STAY_MAX,
    closed: false,
    closed_to_arrival: false,
    closed_to_departure: false,
  };
  return new Map(nights.map((night) => [night, { ...usual, ...saidOf(rules, night) }]));
}

/** The rules after a change of these nights; all other nights from a year before `today` on are as
 * they were. */
export function changedRules(
  plan: Plan,
  base: number,
  nights: readonly string[],
  change: NightChange,
  today: string,
): NightRule[] {
  const rules = plan.rules ?? [];
  const own = rules.filter((rule) => !rule.suggested);
  const standing = own.filter((rule) => !isDated(rule));
  const dated = datedNights(own);
  const suggested = suggestedNights(rules);
  const now = soldNights(plan, base, nights);
  for (const night of nights) {
    const sold = now.get(night);
    if (change === "usual" || sold === undefined) {
      dated.delete(night);
      suggested.delete(night);
    } else {
      const changed = change(night, sold);
      const said = { ...dated.get(night), ...changed };
      dated.set(night, withoutUsual(said, saidOf(standing, night)));
      if (changed.price !== undefined) suggested.delete(night);
    }
  }
  const oldest = dayAfter(today, -KEPT_DAYS);
  for (const night of dated.keys()) if (night < oldest) dated.delete(night);
  return [...standing, ...rulesOf(dated), ...suggestedRules(suggested)];
}

/** The suggested prices by their nights, where no rule behind them says another price. */
function suggestedNights(rules: readonly NightRule[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const rule of rules) {
    const { from, to, price, suggested } = rule;
    if (typeof price !== "number") continue;
    if (suggested) {
      for (let night = from ?? ""; night < (to ?? ""); night = dayAfter(night, 1))
        found.set(night, price);
    } else for (const night of found.keys()) if (isOf(rule, night)) found.delete(night);
  }
  return found;
}

/** A rule for each run of nights with the same suggested price, as whoever suggests them writes
 * them. */
function suggestedRules(prices: ReadonlyMap<string, number>): NightRule[] {
  const found: NightRule[] = [];
  for (const [night, price] of [...prices].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const last = found.at(-1);
    if (last?.to === night && last.price === price) last.to = dayAfter(night, 1);
    else found.push({ from: night, to: dayAfter(night, 1), price, suggested: true });
  }
  return found;
}

/** Without what is open anyway: opening again what a dated rule closed leaves no rule. */
function withoutUsual(said: Said, usual: Said): Said {
  const entries = Object.entries(said).filter(
    ([name, value]) => value !== false || Reflect.get(usual, name) === true,
  );
  return Object.fromEntries(entries);
}

function isDated({ from, to }: NightRule): boolean {
  return Boolean(from && to && nightsBetween(from, to) <= DATED_NIGHTS_MAX);
}

function isOf(rule: NightRule, night: string): boolean {
  const { from, to, days } = rule;
  return (
    (!from || from <= night) && (!to || night < to) && (!days || days.includes(weekdayOf(night)))
  );
}

/** What rules say of a night: of each thing the last word. */
function saidOf(rules: readonly NightRule[], night: string): Said {
  return Object.assign({}, ...rules.filter((rule) => isOf(rule, night)).map(saysOf)) as Said;
}

/** What a rule says, without what it leaves as it was. */
function saysOf(rule: NightRule): Said {
  const said = NAMES.filter((name) => rule[name] !== undefined && rule[name] !== null);
  return Object.fromEntries(said.map((name) => [name, rule[name]]));
}

/** What dated rules say of their nights, where no standing rule after them says otherwise. */
function datedNights(rules: readonly NightRule[]): Dated {
  const found: Map<string, Map<SaidName, unknown>> = new Map();
  const say = (night: string, said: Said, isWord: boolean) => {
    const of = found.get(night) ?? new Map<SaidName, unknown>();
    for (const name of NAMES)
      if (said[name] !== undefined)
        if (isWord) of.set(name, said[name]);
        else of.delete(name);
    found.set(night, of);
  };
  for (const rule of rules) {
    const said = saysOf(rule);
    if (isDated(rule)) {
      for (let night = rule.from ?? ""; night < (rule.to ?? ""); night = dayAfter(night, 1))
        if (isOf(rule, night)) say(night, said, true);
    } else for (const night of found.keys()) if (isOf(rule, night)) say(night, said, false);
  }
  const nights = [...found].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return new Map(nights.map(([night, said]) => [night, Object.fromEntries(said) as Said]));
}

/** Nights as rules that do not overlap: a rule for each thing that is said, those of the same nights
 * put together; or a rule for all that is said of a night, where those are fewer. */
function rulesOf(dated: Dated): NightRule[] {
  const nights = [...dated].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const apart = NAMES.flatMap((name) =>
    rangesOf(
      nights.flatMap(([night, said]) =>
        said[name] === undefined ? [] : [[night, { [name]: said[name] }] as const],
      ),
    ),
  );
  const together = rangesOf(nights.filter(([, said]) => Object.keys(said).length > 0));
  const fewer = joined(apart);
  const found = fewer.length <= together.length || !together.every(isPossible) ? fewer : together;
  return found.toSorted((a, b) => ((a.from ?? "") < (b.from ?? "") ? -1 : 1));
}

type Range = { first: string; last: string; days: Weekday[]; size: number; said: Said };

/** Ranges with days of the week that have exactly these nights, which are in order. */
function rangesOf(nights: readonly (readonly [string, Said])[]): NightRule[] {
  const alike = new Map<string, Range[]>();
  for (const [night, said] of nights) {
    const key = NAMES.map((name) => String(said[name])).join(" ");
    const ranges = alike.get(key) ?? [];
    alike.set(key, ranges);
    const day = weekdayOf(night);
    const before = dayAfter(night, -1);
    const takes = (range: Range) => {
      const days = range.days.includes(day) ? range.days : [...range.days, day];
      return countOf(range.first, night, days) === range.size + 1;
    };
    // First the night after, then the same day of a later week: so weekends stay one rule.
    const fits =
      ranges.find((range) => range.last === before && takes(range)) ??
      ranges.find((range) => range.days.includes(day) && takes(range));
    if (fits === undefined) ranges.push({ first: night, last: night, days: [day], size: 1, said });
    else {
      fits.last = night;
      fits.size += 1;
      if (!fits.days.includes(day)) fits.days.push(day);
    }
  }
  return [...alike.values()].flat().map(ruleOfRange);
}

function ruleOfRange({ first, last, days, size, said }: Range): NightRule {
  const to = dayAfter(last, 1);
  const isEvery = size === nightsBetween(first, to);
  const named = WEEKDAYS.filter((day) => days.includes(day));
  return { from: first, to, ...(!isEvery && { days: named }), ...said };
}

/** How many nights of these days of the week there are from `first` to `last`. */
function countOf(first: string, last: string, days: readonly Weekday[]): number {
  const all = nightsBetween(first, last) + 1;
  const start = WEEKDAYS.indexOf(weekdayOf(first));
  const rest = all % WEEKDAYS.length;
  const isInRest = (day: Weekday) => (WEEKDAYS.indexOf(day) - start + 7) % WEEKDAYS.length < rest;
  return days.length * Math.floor(all / WEEKDAYS.length) + days.filter(isInRest).length;
}

/** Rules of the same nights as one, where one rule may say all of it. */
function joined(rules: readonly NightRule[]): NightRule[] {
  const found = new Map<string, NightRule[]>();
  for (const rule of rules) {
    const key = `${rule.from} ${rule.to} ${rule.days?.join()}`;
    const there = found.get(key) ?? [];
    found.set(key, there);
    const at = there.findIndex((one) => isPossible({ ...one, ...rule }));
    if (at === -1) there.push(rule);
    else there[at] = { ...there[at], ...rule };
  }
  return [...found.values()].flat();
}

/** Whether one rule may say this: no shortest stay above the longest. */
function isPossible(rule: NightRule): boolean {
  return (
    (rule.min_nights ?? 1) <= (rule.max_nights ?? STAY_MAX) &&
    (rule.min_through ?? 1) <= (rule.max_through ?? STAY_MAX)
  );
}

/** Whether two lists of rules say the same in the same order. */
export function areAlike(some: readonly NightRule[], others: readonly NightRule[]): boolean {
  const told = ({ from, to, days, ...rule }: NightRule) =>
    JSON.stringify([
      from ?? null,
      to ?? null,
      days ?? null,
      rule.suggested ?? false,
      NAMES.map((name) => rule[name] ?? null),
    ]);
  return (
    some.length === others.length && some.every((rule, at) => told(rule) === told(others[at] ?? {}))
  );
}
