// The steps of a cancellation policy as texts to translate: what is given back, and until when.
import type { RefundShare, RefundStep } from "~/api/schema";

const ALL = 10_000;
const DAY_SECONDS = 86_400;
const HOUR_SECONDS = 3600;

/** `say` is the key of the words below `terms`. */
export type StepWords = {
  say: "full" | "part" | "none";
  /** `then`: after the step before; `always`: the only one. */
  when: "until" | "before" | "then" | "always";
  until: string | null;
  /** How long before the begin, where each line has its own. */
  before: { unit: "days" | "hours"; count: number } | null;
  share: number;
  amount: number | null;
};

/** Of shares alone, as a resource has them. */
export function wordsOfShares(steps: readonly RefundShare[]): StepWords[] {
  return steps.map(({ until, before_seconds: before, basis_points: share }, place) => ({
    ...whenOf(until, before, steps.length, place),
    say: share === ALL ? "full" : share === 0 ? "none" : "part",
    share,
    amount: null,
  }));
}

/** Of amounts, of a hold or booking that costs so much. */
export function wordsOfAmounts(steps: readonly RefundStep[], total: number): StepWords[] {
  return steps.map(({ until, amount, basis_points: share }, place) => ({
    ...whenOf(until, null, steps.length, place),
    say: amount === 0 ? "none" : amount >= total ? "full" : "part",
    share: share ?? 0,
    amount,
  }));
}

function whenOf(
  until: string | null,
  before: number | null,
  count: number,
  place: number,
): Pick<StepWords, "when" | "until" | "before"> {
  if (until !== null) return { when: "until", until, before: null };
  if (before !== null) return { when: "before", until: null, before: spanOf(before) };
  return { when: count === 1 && place === 0 ? "always" : "then", until: null, before: null };
}

function spanOf(seconds: number): { unit: "days" | "hours"; count: number } {
  return seconds % DAY_SECONDS === 0
    ? { unit: "days", count: seconds / DAY_SECONDS }
    : { unit: "hours", count: Math.ceil(seconds / HOUR_SECONDS) };
}
