// What is on top of a price and what a cancellation gives back, as a form has it. Rules that were made
// elsewhere and do not fit the form (codes, steps of demand, other tiers) stay as they are.
import type { Cancellation, Fee, Pricing, Tax } from "~/api/schema";
import { readAmount, readShare, readWhole, writeAmount, writeShare } from "./amounts";

export type FeeDraft = {
  readonly name: string;
  readonly per: "unit" | "order";
  readonly amount: string;
  readonly share: string;
  readonly isTaxable: boolean;
};
export type TaxDraft = {
  readonly name: string;
  readonly share: string;
  readonly isIncluded: boolean;
};

export type RefundDraft = {
  /** Not said, never, in full until some days before the start, or rules of another shape. */
  readonly is: "unsaid" | "never" | "until" | "other";
  readonly days: string;
  readonly after: "none" | "half";
  readonly feesBack: boolean;
};

export type TermsDraft = {
  readonly fees: readonly FeeDraft[];
  readonly taxes: readonly TaxDraft[];
  readonly refund: RefundDraft;
};

export const NEW_FEE: FeeDraft = { name: "", per: "unit", amount: "", share: "", isTaxable: true };
export const NEW_TAX: TaxDraft = { name: "", share: "", isIncluded: true };
const NEW_REFUND: RefundDraft = { is: "unsaid", days: "2", after: "none", feesBack: false };

const DAY_SECONDS = 86_400;
const DAYS_MAX = 365;
const HALF = 5000;

export function termsDraft(pricing: Pricing | null | undefined, currency: string): TermsDraft {
  return {
    fees: (pricing?.fees ?? []).map((fee) => ({
      name: fee.name,
      per: fee.per ?? "unit",
      amount: fee.amount ? writeAmount(fee.amount, currency) : "",
      share: fee.basis_points ? writeShare(fee.basis_points) : "",
      isTaxable: fee.taxable ?? true,
    })),
    taxes: (pricing?.taxes ?? []).map((tax) => ({
      name: tax.name,
      share: writeShare(tax.basis_points),
      isIncluded: tax.included ?? false,
    })),
    refund: refundDraft(pricing?.cancellation),
  };
}

function refundDraft(policy: Cancellation | null | undefined): RefundDraft {
  if (!policy) return NEW_REFUND;
  const feesBack = policy.fees_back ?? false;
  const other = { ...NEW_REFUND, is: "other" as const };
  if (policy.overrides?.length) return other;
  if (policy.refundable === false) return { ...NEW_REFUND, is: "never", feesBack };
  const free = policy.free_until_seconds;
  const [tier, ...more] = policy.tiers ?? [];
  if (typeof free !== "number" || free % DAY_SECONDS !== 0 || free < 0 || more.length > 0)
    return other;
  const days = String(free / DAY_SECONDS);
  if (tier === undefined) return { is: "until", days, after: "none", feesBack };
  if (tier.before_seconds !== 0 || tier.basis_points !== HALF) return other;
  return { is: "until", days, after: "half", feesBack };
}

/** The names of the fields that cannot be read: "fees.0.amount", "refund.days". */
export function termsFaults({ fees, taxes, refund }: TermsDraft, currency: string): string[] {
  const faults: string[] = [];
  fees.forEach((fee, at) => {
    if (fee.name.trim() === "") faults.push(`fees.${at}.name`);
    if (fee.amount.trim() !== "" && readAmount(fee.amount, currency) === null)
      faults.push(`fees.${at}.amount`);
    if (fee.share.trim() !== "" && readShare(fee.share) === null) faults.push(`fees.${at}.share`);
    if (fee.amount.trim() === "" && fee.share.trim() === "") faults.push(`fees.${at}.amount`);
  });
  taxes.forEach((tax, at) => {
    if (tax.name.trim() === "") faults.push(`taxes.${at}.name`);
    if (readShare(tax.share) === null) faults.push(`taxes.${at}.share`);
  });
  if (refund.is === "until" && readWhole(refund.days, 0, DAYS_MAX) === null)
    faults.push("refund.days");
  return faults;
}

/** The rules to send; null where there are none. */
export function termsPricing(
  draft: TermsDraft,
  currency: string,
  before: Pricing | null | undefined,
): Pricing | null {
  const kept = before ?? {};
  const fees = draft.fees.map(({ name, per, amount, share, isTaxable }): Fee => ({
    name: name.trim(),
    per,
    amount: readAmount(amount, currency) ?? 0,
    basis_points: readShare(share) ?? 0,
    taxable: isTaxable,
  }));
  const taxes = draft.taxes.map(({ name, share, isIncluded }): Tax => ({
    name: name.trim(),
    basis_points: readShare(share) ?? 0,
    included: isIncluded,
  }));
  const cancellation = policyOf(draft.refund, kept.cancellation ?? null);
  const isNone = fees.length === 0 && taxes.length === 0 && cancellation === null;
  if (isNone && !kept.steps?.length && !kept.codes?.length) return null;
  return { ...kept, fees, taxes, cancellation };
}

function policyOf(draft: RefundDraft, before: Cancellation | null): Cancellation | null {
  if (draft.is === "unsaid") return null;
  if (draft.is === "other") return before;
  if (draft.is === "never") return { refundable: false, fees_back: draft.feesBack };
  return {
    free_until_seconds: (readWhole(draft.days, 0, DAYS_MAX) ?? 0) * DAY_SECONDS,
    tiers: draft.after === "half" ? [{ before_seconds: 0, basis_points: HALF }] : [],
    fees_back: draft.feesBack,
  };
}
