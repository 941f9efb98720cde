// What a cancellation gives back, as a form has it: all until some time before the start, then less, step
// by step, then nothing. Policies that were made elsewhere and do not fit the form stay as they are.
import type { Cancellation } from "~/api/schema";
import { readShare, readWhole, writeShare } from "./amounts";

export type Span = { readonly count: string; readonly unit: "days" | "hours" };
/** A share, as "50", that is given back until so long before the start. */
export type RefundStepDraft = Span & { readonly share: string };

export type RefundDraft = {
  /** Not said, never, in full until some time before the start, or rules of another shape. */
  readonly is: "unsaid" | "never" | "until" | "other";
  /** Until when all is given back. */
  readonly full: Span;
  /** What is given back after that, the earliest first. */
  readonly steps: readonly RefundStepDraft[];
  readonly feesBack: boolean;
};

export const REFUND_STEPS_MAX = 9;
const NEW_REFUND: RefundDraft = {
  is: "unsaid",
  full: { count: "2", unit: "days" },
  steps: [],
  feesBack: false,
};
const SECONDS = { days: 86_400, hours: 3600 };
const COUNT_MAX = { days: 365, hours: 365 * 24 };
const ALL = 10_000;
const HALF = "50";

/** A step after the last: half of the share, until half of the time, as one would go on. */
export function nextStep({ full, steps }: RefundDraft): RefundStepDraft {
  const last = steps.at(-1) ?? { ...full, share: "100" };
  const count = readWhole(last.count, 0, COUNT_MAX[last.unit]) ?? 0;
  const share = readShare(last.share);
  const isLast = count < 2;
  return {
    count: String(isLast ? 0 : Math.floor(count / 2)),
    unit: last.unit,
    share: share === null ? HALF : writeShare(Math.floor(share / 2)),
  };
}

export function refundDraft(policy: Cancellation | null | undefined): RefundDraft {
  if (!policy) return NEW_REFUND;
  const feesBack = policy.fees_back ?? false;
  const other = { ...NEW_REFUND, is: "other" as const };
  if (policy.overrides?.length) return other;
  if (policy.refundable === false) return { ...NEW_REFUND, is: "never", feesBack };
  const full = spanOf(policy.free_until_seconds);
  const steps = (policy.tiers ?? []).map(({ before_seconds: before, basis_points: share }) => {
    const span = spanOf(before);
    return span && { ...span, share: writeShare(share) };
  });
  const shown = steps.filter((one) => one !== null);
  if (full === null || shown.length !== steps.length || shown.length > REFUND_STEPS_MAX) {
    return other;
  }
  const draft: RefundDraft = { is: "until", full, steps: shown, feesBack };
  return refundFaults(draft).length === 0 ? draft : other;
}

function spanOf(seconds: number | null | undefined): Span | null {
  if (typeof seconds !== "number" || seconds < 0 || seconds % SECONDS.hours !== 0) return null;
  const unit = seconds % SECONDS.days === 0 ? "days" : "hours";
  return { count: String(seconds / SECONDS[unit]), unit };
}

function secondsOf({ count, unit }: Span): number | null {
  const read = readWhole(count, 0, COUNT_MAX[unit]);
  return read === null ? null : read * SECONDS[unit];
}

/** The names of the fields that cannot be read or contradict the step before: "refund.full",
 * "refund.steps.0.count", "refund.steps.0.share". */
export function refundFaults({ is, full, steps }: RefundDraft): string[] {
  if (is !== "until") return [];
  const times = [full, ...steps].map(secondsOf);
  const shares = [ALL, ...steps.map(({ share }) => readShare(share))];
  return [
    ...(times[0] === null ? ["refund.full"] : []),
    ...steps.flatMap((_, at) => {
      const [before, share] = [times[at + 1] ?? null, shares[at + 1] ?? null];
      const [earlier, more] = [times[at] ?? null, shares[at] ?? null];
      return [
        ...(before === null || (earlier !== null && before >= earlier)
          ? [`refund.steps.${at}.count`]
          : []),
        ...(!share || (more !== null && share >= more) ? [`refund.steps.${at}.share`] : []),
      ];
    }),
  ];
}

/** The policy to send; `before` is that of another shape, which stays. */
export function policyOf(draft: RefundDraft, before: Cancellation | null): Cancellation | null {
  if (draft.is === "unsaid") return null;
  if (draft.is === "other") return before;
  if (draft.is === "never") return { refundable: false, fees_back: draft.feesBack };
  return {
    free_until_seconds: secondsOf(draft.full) ?? 0,
    tiers: draft.steps.map((step) => ({
      before_seconds: secondsOf(step) ?? 0,
      basis_points: readShare(step.share) ?? 0,
    })),
    fees_back: draft.feesBack,
  };
}
