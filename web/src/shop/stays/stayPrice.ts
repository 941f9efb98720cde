// What a stay costs, as its quote says it: nights in a row that cost the same, and what is given back.
import type { Quote, RefundShare, StayRate } from "~/api/schema";
import { addDays } from "../days";

/** So many nights from a day on; the amount is that of one of them, of all rooms and guests. */
export type NightRun = { from: string; nights: number; amount: number };

/** The nights of all lines of a quote; rooms that are lines of their own are put together. */
export function nightRuns(quote: Pick<Quote, "lines">): NightRun[] {
  const days = new Map<string, number>();
  for (const { nights = [] } of quote.lines) {
    for (const run of nights) {
      for (let night = 0; night < run.nights; night += 1) {
        const day = addDays(run.from, night);
        days.set(day, (days.get(day) ?? 0) + run.amount);
      }
    }
  }
  const runs: NightRun[] = [];
  for (const [day, amount] of [...days].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const last = runs.at(-1);
    if (last !== undefined && last.amount === amount) last.nights += 1;
    else runs.push({ from: day, nights: 1, amount });
  }
  return runs;
}

/** What a cancellation gives back, step by step; null where the house has said nothing of it. */
export function refundShares({ quote }: Pick<StayRate, "quote">): RefundShare[] | null {
  const terms = quote?.cancellation ?? [];
  const place = quote?.lines.find(({ kind }) => kind === "unit")?.terms;
  if (place === undefined || place === null) return null;
  const tiers = terms[place]?.tiers ?? [];
  const steps = tiers.map(({ before_seconds, basis_points }) => ({
    until: null,
    before_seconds,
    basis_points,
  }));
  return [...steps, { until: null, before_seconds: null, basis_points: 0 }];
}
