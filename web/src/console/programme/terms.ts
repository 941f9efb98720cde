// What is on top of a price, what codes take off it, when it rises, and what a cancellation gives back,
// as a form has it. Rules that were made elsewhere and do not fit the form stay as they are.
import type { DemandStep, Fee, PriceCode, Pricing, Tax } from "~/api/schema";
import { readAmount, readShare, readWhole, writeAmount, writeShare } from "./amounts";
import { policyOf, refundDraft, refundFaults, type RefundDraft } from "./refundTerms";

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
  /** A share of what is bought, or so much for each guest and night of a stay. */
  readonly per: "share" | "guestNight";
  readonly guestNight: string;
  readonly ageFrom: string;
  readonly nightsMax: string;
};

/** `kept` is what of a code the form does not show. */
export type CodeDraft = {
  readonly code: string;
  readonly capacity: string;
  readonly share: string;
  readonly amount: string;
  readonly isPresale: boolean;
  readonly kept: Partial<PriceCode>;
};
export type StepDraft = { readonly from: string; readonly share: string };

export type TermsDraft = {
  readonly fees: readonly FeeDraft[];
  readonly taxes: readonly TaxDraft[];
  /** Null: there are too many of them for a form. */
  readonly codes: readonly CodeDraft[] | null;
  /** Null: they are of another shape. */
  readonly steps: readonly StepDraft[] | null;
  readonly refund: RefundDraft;
};

export const NEW_FEE: FeeDraft = { name: "", per: "unit", amount: "", share: "", isTaxable: true };
export const NEW_TAX: TaxDraft = {
  name: "",
  share: "",
  isIncluded: true,
  per: "share",
  guestNight: "",
  ageFrom: "",
  nightsMax: "",
};
export const NEW_GUEST_TAX: TaxDraft = { ...NEW_TAX, isIncluded: false, per: "guestNight" };
export const NEW_CODE: CodeDraft = {
  code: "",
  capacity: "",
  share: "",
  amount: "",
  isPresale: false,
  kept: {},
};
export const NEW_STEP: StepDraft = { from: "", share: "" };

const CODES_SHOWN_MAX = 50;
const SHARE_ALL = 10_000;
const ADULT_AGE = 18;
const STAY_NIGHTS_MAX = 366;
const CAPACITY_MAX = 999_999_999;

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
      share: tax.guest_night ? "" : writeShare(tax.basis_points ?? 0),
      isIncluded: tax.included ?? false,
      per: tax.guest_night ? "guestNight" : "share",
      guestNight: tax.guest_night ? writeAmount(tax.guest_night, currency) : "",
      ageFrom: tax.age_from ? String(tax.age_from) : "",
      nightsMax: tax.nights_max ? String(tax.nights_max) : "",
    })),
    codes: codeDrafts(pricing?.codes ?? [], currency),
    steps: stepDrafts(pricing?.steps ?? []),
    refund: refundDraft(pricing?.cancellation),
  };
}

function codeDrafts(codes: readonly PriceCode[], currency: string): CodeDraft[] | null {
  return codes.length > CODES_SHOWN_MAX ? null : codes.map((one) => codeDraft(one, currency));
}

function codeDraft(of: PriceCode, currency: string): CodeDraft {
  const { code, capacity, basis_points: share, amount, presale, ...kept } = of;
  return {
    code,
    capacity: String(capacity),
    share: share ? writeShare(share) : "",
    amount: amount ? writeAmount(amount, currency) : "",
    isPresale: presale ?? false,
    kept,
  };
}

/** Steps by the share that is sold, each of which makes all places dearer by a share. */
function stepDrafts(steps: readonly DemandStep[]): StepDraft[] | null {
  const drafts = steps.map((one): StepDraft | null => {
    const from = one.from_basis_points;
    const share = one.basis_points ?? 0;
    const isOther = Boolean(one.amount || one.category || one.unit || one.from_count);
    return from && share > 0 && share <= SHARE_ALL && !isOther
      ? { from: writeShare(from), share: writeShare(share) }
      : null;
  });
  const shown = drafts.filter((one) => one !== null);
  return shown.length === drafts.length ? shown : null;
}

/** What guests read of fees and taxes. Each has the name of what it is called, so that its translation
 * stays with it when the lines move. */
export function termsTexts({ fees, taxes }: Pick<TermsDraft, "fees" | "taxes">) {
  const texts = (is: string, lines: readonly { name: string }[]) =>
    lines.map(({ name }): [string, string] => [`${is} ${name.trim()}`, name.trim()]);
  return [...texts("fee", fees), ...texts("tax", taxes)];
}

/** The names of the fields that cannot be read: "fees.0.amount", "refund.full". */
export function termsFaults(draft: TermsDraft, currency: string): string[] {
  const { fees, taxes, refund } = draft;
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
    faults.push(...taxFaults(tax, currency).map((name) => `taxes.${at}.${name}`));
  });
  faults.push(...codeFaults(draft.codes ?? [], currency), ...stepFaults(draft.steps ?? []));
  faults.push(...refundFaults(refund));
  return faults;
}

function taxFaults(tax: TaxDraft, currency: string): string[] {
  if (tax.per === "share") return readShare(tax.share) === null ? ["share"] : [];
  const isWrong = (text: string, most: number) =>
    text.trim() !== "" && readWhole(text, 1, most) === null;
  return [
    ...(readAmount(tax.guestNight, currency) ? [] : ["guestNight"]),
    ...(isWrong(tax.ageFrom, ADULT_AGE) ? ["ageFrom"] : []),
    ...(isWrong(tax.nightsMax, STAY_NIGHTS_MAX) ? ["nightsMax"] : []),
  ];
}

function taxOf(draft: TaxDraft, currency: string): Tax {
  const said = { name: draft.name.trim(), included: draft.isIncluded };
  if (draft.per === "share") return { ...said, basis_points: readShare(draft.share) ?? 0 };
  return {
    ...said,
    guest_night: readAmount(draft.guestNight, currency) ?? 0,
    age_from: readWhole(draft.ageFrom, 1, ADULT_AGE),
    nights_max: readWhole(draft.nightsMax, 1, STAY_NIGHTS_MAX),
  };
}

function codeFaults(codes: readonly CodeDraft[], currency: string): string[] {
  const names = codes.map(({ code }) => code.trim());
  return codes.flatMap(({ capacity, share, amount, isPresale }, at) => {
    const isWrong = (text: string, value: number | null) => text.trim() !== "" && value === null;
    const takesNothing = share.trim() === "" && amount.trim() === "";
    return [
      ...(names[at] === "" ? [`codes.${at}.name`] : []),
      ...(names[at] !== "" && names.indexOf(names[at] ?? "") !== at ? [`codes.${at}.twice`] : []),
      ...(readWhole(capacity, 0, CAPACITY_MAX) === null ? [`codes.${at}.capacity`] : []),
      ...(isWrong(share, readShare(share)) ? [`codes.${at}.share`] : []),
      ...(isWrong(amount, readAmount(amount, currency)) || (takesNothing && !isPresale)
        ? [`codes.${at}.amount`]
        : []),
    ];
  });
}

function stepFaults(steps: readonly StepDraft[]): string[] {
  const froms = steps.map(({ from }) => readShare(from));
  return steps.flatMap(({ share }, at) => {
    const from = froms[at] ?? null;
    return [
      ...(from === null || from === 0 || froms.indexOf(from) !== at ? [`steps.${at}.from`] : []),
      ...(readShare(share) ? [] : [`steps.${at}.share`]),
    ];
  });
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
  const taxes = draft.taxes.map((tax) => taxOf(tax, currency));
  const codes = draft.codes === null ? (kept.codes ?? []) : codesOf(draft.codes, currency);
  const steps = draft.steps === null ? (kept.steps ?? []) : stepsOf(draft.steps);
  const cancellation = policyOf(draft.refund, kept.cancellation ?? null);
  const rules = [...fees, ...taxes, ...codes, ...steps];
  if (rules.length === 0 && cancellation === null) return null;
  return { ...kept, fees, taxes, codes, steps, cancellation };
}

function codesOf(drafts: readonly CodeDraft[], currency: string): PriceCode[] {
  return drafts.map(({ code, capacity, share, amount, isPresale, kept }) => ({
    ...kept,
    code: code.trim(),
    capacity: readWhole(capacity, 0, CAPACITY_MAX) ?? 0,
    basis_points: readShare(share) ?? 0,
    amount: readAmount(amount, currency) ?? 0,
    presale: isPresale,
  }));
}

function stepsOf(drafts: readonly StepDraft[]): DemandStep[] {
  return drafts
    .map(({ from, share }) => ({
      from_basis_points: readShare(from) ?? 0,
      basis_points: readShare(share) ?? 0,
    }))
    .toSorted((one, other) => one.from_basis_points - other.from_basis_points);
}
