// Changes of nights against a calendar that is made by hand, night by night: what was asked is so,
// all other nights are as they were, and rules do not pile up.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { NightRule, NightsPlan } from "~/api/schema";
import { WEEKDAYS, weekdayOf } from "../programme/clocks";
import { dayAfter } from "../reports/days";
import { nightsOf } from "./nightRange";
import { changedRules, type Said, soldNights } from "./nightRules";

const TODAY = "2030-03-01";
const BASE = 8000;
const ALL = nightsOf("2030-01-15", "2030-10-15", [], 366);

/** What the reference says: each rule in turn, field by field. */
function byHand(rules: readonly NightRule[], night: string): Said {
  const said: Record<string, unknown> = {};
  for (const { from, to, days, suggested: _, ...says } of rules) {
    if (from && night < from) continue;
    if (to && night >= to) continue;
    if (days && !days.includes(weekdayOf(night))) continue;
    Object.assign(said, says);
  }
  return { price: BASE, ...said };
}

/** What is open by a word or because nobody says otherwise is the same. */
function told(said: Said) {
  const { closed, closed_to_arrival: arrival, closed_to_departure: departure, ...rest } = said;
  const entries = Object.entries(rest).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([entries, closed ?? false, arrival ?? false, departure ?? false]);
}

const night = fc.integer({ min: 0, max: 180 }).map((days) => dayAfter("2030-02-01", days));
const days = fc.subarray([...WEEKDAYS], { minLength: 1 });
const says = fc
  .record(
    {
      price: fc.constantFrom(0, 7000, 9000, 12_000),
      min_nights: fc.integer({ min: 1, max: 4 }),
      max_through: fc.integer({ min: 5, max: 7 }),
      closed: fc.boolean(),
      closed_to_arrival: fc.boolean(),
      count: fc.integer({ min: 0, max: 3 }),
    },
    { requiredKeys: [] },
  )
  .filter((said) => Object.keys(said).length > 0);
const rule: fc.Arbitrary<NightRule> = fc
  .record({
    from: fc.option(night),
    length: fc.option(fc.integer({ min: 1, max: 60 })),
    days: fc.option(days),
    says,
  })
  .map(({ from, length, days: of, says: said }) => ({
    ...(from !== null && { from }),
    ...(length !== null && { to: dayAfter(from ?? "2030-04-01", length) }),
    ...(of !== null && { days: of }),
    ...said,
  }));
const suggestion: fc.Arbitrary<NightRule> = fc
  .tuple(night, fc.integer({ min: 1, max: 20 }), fc.constantFrom(8500, 9500))
  .map(([from, length, price]) => ({ from, to: dayAfter(from, length), price, suggested: true }));
const anyRule = fc.oneof({ arbitrary: rule, weight: 4 }, { arbitrary: suggestion, weight: 1 });
const change = fc.record({
  from: night,
  length: fc.integer({ min: 1, max: 40 }),
  days: fc.option(days),
  says: fc.option(says),
  more: fc.integer({ min: -500, max: 500 }),
});
const plan = (rules: readonly NightRule[]): NightsPlan => ({
  type: "nights",
  count: 3,
  rules: [...rules],
});

describe("a change of nights", () => {
  it("does what was asked to these nights, and nothing to any other", () => {
    fc.assert(
      fc.property(
        fc.array(anyRule, { maxLength: 6 }),
        fc.array(change, { maxLength: 5 }),
        (begin, all) => {
          let rules = begin;
          for (const { from, length, days: of, says: said, more } of all) {
            const nights = nightsOf(from, dayAfter(from, length - 1), of ?? [], 366);
            const before = new Map(ALL.map((one) => [one, byHand(rules, one)]));
            const standing = rules.filter((one) => !one.from || !one.to);
            const after = changedRules(
              plan(rules),
              BASE,
              nights,
              said === null ? "usual" : (_, now) => ({ ...said, price: now.price + 500 + more }),
              TODAY,
            );
            const wrong = ALL.filter((one) => {
              const was = before.get(one) ?? {};
              const asked =
                said === null
                  ? byHand(standing, one)
                  : { ...was, ...said, price: (was.price ?? BASE) + 500 + more };
              return told(byHand(after, one)) !== told(nights.includes(one) ? asked : was);
            });
            expect(wrong).toEqual([]);
            rules = after;
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  it("makes rules that the server takes: each says something, of a range, no day twice", () => {
    fc.assert(
      fc.property(
        fc.array(anyRule, { maxLength: 8 }),
        change,
        (begin, { from, length, says: said }) => {
          const nights = nightsOf(from, dayAfter(from, length - 1), [], 366);
          for (const one of changedRules(plan(begin), BASE, nights, () => said ?? {}, TODAY)) {
            const { from: first, to, days: of, ...rest } = one;
            if (one.suggested)
              expect(Object.keys(one)).toEqual(["from", "to", "price", "suggested"]);
            expect(Object.keys(rest)).not.toEqual([]);
            if (first && to) expect(first < to).toBe(true);
            if (of) expect(new Set(of).size).toBe(of.length);
            expect(one.min_nights ?? 1).toBeLessThanOrEqual(one.max_nights ?? 366);
          }
        },
      ),
    );
  });

  it("leaves no more rules than nights that differ, however often nights are changed", () => {
    fc.assert(
      fc.property(fc.array(change, { minLength: 10, maxLength: 40 }), (all) => {
        let rules: NightRule[] = [];
        for (const { from, length, says: said } of all) {
          const nights = nightsOf(from, dayAfter(from, length - 1), [], 366);
          rules = changedRules(plan(rules), BASE, nights, () => said ?? {}, TODAY);
        }
        const differing = ALL.filter((one) =>
          rules.some(({ from, to }) => (from ?? "") <= one && one < (to ?? "")),
        );
        expect(rules.length).toBeLessThanOrEqual(differing.length);
      }),
      { numRuns: 10 },
    );
  });

  it("keeps seasons and weekends as single rules", () => {
    const season: NightRule = { from: "2030-07-01", to: "2030-09-01", price: 12_000 };
    const weekends: NightRule = {
      from: "2030-05-01",
      to: "2030-07-01",
      days: ["fri", "sat"],
      price: 10_000,
    };
    const standing: NightRule = { days: ["sun"], closed_to_arrival: true };
    const nights = nightsOf("2030-10-01", "2030-10-05", [], 366);
    const after = changedRules(
      plan([season, standing, weekends]),
      BASE,
      nights,
      () => ({ min_nights: 3, closed: true }),
      TODAY,
    );
    expect(after).toEqual([
      standing,
      // From its first Friday to its last Saturday: the nights are the same.
      { ...weekends, from: "2030-05-03", to: "2030-06-30" },
      season,
      { from: "2030-10-01", to: "2030-10-06", min_nights: 3, closed: true },
    ]);
  });

  it("splits a rule around what is usual again, and joins what is alike again", () => {
    const season: NightRule = { from: "2030-07-01", to: "2030-07-31", price: 12_000 };
    const nights = nightsOf("2030-07-10", "2030-07-11", [], 366);
    const split = changedRules(plan([season]), BASE, nights, "usual", TODAY);
    expect(split).toEqual([
      { from: "2030-07-01", to: "2030-07-10", price: 12_000 },
      { from: "2030-07-12", to: "2030-07-31", price: 12_000 },
    ]);
    const again = changedRules(plan(split), BASE, nights, () => ({ price: 12_000 }), TODAY);
    expect(again).toEqual([season]);
  });

  it("keeps suggested prices behind all others, but for nights whose price is said by hand", () => {
    const suggested = { from: "2030-07-08", to: "2030-07-14", price: 9500, suggested: true };
    const season: NightRule = { from: "2030-07-01", to: "2030-07-31", price: 12_000 };
    const begin = [suggested, season, { ...suggested, to: "2030-07-12" }];
    const nights = nightsOf("2030-07-10", "2030-07-10", [], 366);
    const closed = changedRules(plan(begin), BASE, nights, () => ({ closed: true }), TODAY);
    // What stood behind a season was its price; what stands before it never was.
    expect(closed.at(-1)).toEqual({ ...suggested, to: "2030-07-12" });
    const dearer = changedRules(plan(begin), BASE, nights, () => ({ price: 20_000 }), TODAY);
    expect(dearer.slice(-2)).toEqual([
      { ...suggested, to: "2030-07-10" },
      { ...suggested, from: "2030-07-11", to: "2030-07-12" },
    ]);
    const usual = changedRules(plan(begin), BASE, nights, "usual", TODAY);
    expect(soldNights(plan(usual), BASE, nights).get("2030-07-10")?.price).toBe(BASE);
  });

  it("leaves no rule where what was closed is opened again", () => {
    const nights = nightsOf("2030-07-10", "2030-07-11", [], 366);
    const closed = changedRules(plan([]), BASE, nights, () => ({ closed: true }), TODAY);
    expect(changedRules(plan(closed), BASE, nights, () => ({ closed: false }), TODAY)).toEqual([]);
  });

  it("forgets rules of nights that are over for a year, and takes very long ones as usual", () => {
    const old: NightRule = { from: "2028-07-01", to: "2028-07-31", price: 12_000 };
    const long: NightRule = { from: "2020-01-01", to: "2099-01-01", price: 9000 };
    const after = changedRules(plan([old, long]), BASE, ["2030-04-01"], "usual", TODAY);
    expect(after).toEqual([long]);
    expect(soldNights(plan(after), BASE, ["2030-04-01"]).get("2030-04-01")?.price).toBe(9000);
  });

  it("keeps a shortest stay above the longest in two rules, as it was said", () => {
    const begin: NightRule[] = [
      { from: "2030-07-01", to: "2030-07-02", min_nights: 5 },
      { from: "2030-07-01", to: "2030-07-02", max_nights: 3 },
    ];
    const after = changedRules(plan(begin), BASE, ["2030-08-01"], "usual", TODAY);
    expect(after).toEqual(begin);
  });
});
