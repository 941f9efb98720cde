// The rule of suggested prices as a form has it: amounts in whole units, the step in per cent.
import type { PriceRule, SuggestedPrice } from "~/api/schema";
import { readAmount, readShare, readWhole, writeAmount, writeShare } from "../programme/amounts";

export type PriceRuleDraft = {
  readonly least: string;
  readonly most: string;
  readonly step: string;
  readonly multiple: string;
  readonly days: string;
  readonly applied: NonNullable<PriceRule["applied"]>;
};

export const AHEAD_MAX = 366;
const STEP = 1000;
const AHEAD = 180;

/** Where there is no rule yet, one from half to twice of what a night costs usually. */
export function priceRuleDraft(
  rule: PriceRule | null,
  usual: number,
  currency: string,
): PriceRuleDraft {
  const amount = (minor: number) => writeAmount(Math.max(1, minor), currency);
  return {
    least: amount(rule?.least ?? Math.floor(usual / 2)),
    most: amount(rule?.most ?? usual * 2),
    step: writeShare(rule?.step ?? STEP),
    multiple: amount(rule?.multiple ?? 100),
    days: String(rule?.days_ahead ?? AHEAD),
    applied: rule?.applied ?? "by_hand",
  };
}

/** The names of the fields that cannot be read. */
export function priceRuleFaults(draft: PriceRuleDraft, currency: string): string[] {
  const least = readAmount(draft.least, currency);
  const most = readAmount(draft.most, currency);
  const faults: string[] = [];
  if (!least) faults.push("least");
  if (!most || (least !== null && most < least)) faults.push("most");
  if (!readShare(draft.step)) faults.push("step");
  if (!readAmount(draft.multiple, currency)) faults.push("multiple");
  if (readWhole(draft.days, 1, AHEAD_MAX) === null) faults.push("days");
  return faults;
}

export function priceRuleOf(draft: PriceRuleDraft, currency: string): PriceRule {
  return {
    least: readAmount(draft.least, currency) ?? 0,
    most: readAmount(draft.most, currency) ?? 0,
    step: readShare(draft.step) ?? 0,
    multiple: readAmount(draft.multiple, currency) ?? 0,
    days_ahead: readWhole(draft.days, 1, AHEAD_MAX) ?? 0,
    applied: draft.applied,
  };
}

export type Ruled = { readonly rule: PriceRule | null };
export type RuleChange = Partial<PriceRule>;

const NO_RULE = {
  least: null,
  most: null,
  step: null,
  multiple: null,
  days_ahead: null,
  applied: null,
};

/** All that the form says of a rule. */
export function ruleOwn({ rule }: Ruled): object {
  const { least, most, step, multiple, days_ahead, applied } = rule ?? NO_RULE;
  return { least, most, step, multiple, days_ahead, applied };
}

/** What is sent: a rule is saved whole. Where there is none yet, the change has all of it. */
export function wholeRule(change: RuleChange, { rule }: Ruled): PriceRule {
  return { least: 0, most: 0, ...rule, ...change, version: rule?.version ?? 0 };
}

/** A night whose price would change. */
export type Movable = SuggestedPrice & { price: number };

export function isMovable(night: SuggestedPrice): night is Movable {
  return night.price !== null && night.price !== night.now;
}
