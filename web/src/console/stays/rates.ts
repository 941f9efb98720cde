// Rates, discounts and what guests cost, as lines of a form; and which rates give nothing back, which stands in the
// policy of cancellation.
import type { Cancellation, NightRate, NightsPlan, StayDiscount } from "~/api/schema";
import { readAmount, readShare, readWhole, writeAmount, writeShare } from "../programme/amounts";
import { STAY_MAX } from "./rules";

export const MEALS = ["none", "breakfast", "half_board", "full_board", "all_inclusive"] as const;
export type Meals = (typeof MEALS)[number];

/** For which stays something is; an empty text is no limit. */
export type LimitsDraft = {
  readonly minNights: string;
  readonly maxNights: string;
  readonly minAhead: string;
  readonly maxAhead: string;
};
export type RateDraft = LimitsDraft & {
  readonly name: string;
  readonly meals: Meals;
  /** Per cent dearer, or cheaper with a minus. */
  readonly share: string;
  readonly amount: string;
  readonly guestAmount: string;
  readonly isRefundable: boolean;
};
export type DiscountDraft = LimitsDraft & { readonly name: string; readonly share: string };
export type ChildDraft = { readonly under: string; readonly share: string };
export type GuestsDraft = {
  readonly included: string;
  readonly price: string;
  readonly children: readonly ChildDraft[];
};

const NO_LIMITS: LimitsDraft = { minNights: "", maxNights: "", minAhead: "", maxAhead: "" };
export const NEW_RATE: RateDraft = {
  ...NO_LIMITS,
  name: "",
  meals: "none",
  share: "",
  amount: "",
  guestAmount: "",
  isRefundable: true,
};
export const NEW_DISCOUNT: DiscountDraft = { ...NO_LIMITS, name: "", share: "" };
export const NEW_CHILD: ChildDraft = { under: "", share: "" };
export const NO_GUESTS: GuestsDraft = { included: "", price: "", children: [] };
export const RATES_MAX = 20;
const AHEAD_MAX = 1100;
const ROOM_GUESTS_MAX = 100;
const ADULT_AGE = 18;
const LIMITS = ["minNights", "maxNights", "minAhead", "maxAhead"] as const;

type Limits = Pick<NightRate, "min_nights" | "max_nights" | "min_days_ahead" | "max_days_ahead">;

/** An amount or a share that may have a minus. */
export function readSigned(text: string, read: (text: string) => number | null): number | null {
  const bare = text.trim();
  const value = read(bare.replace(/^[-−+]/u, ""));
  return value !== null && /^[-−]/u.test(bare) ? -value : value;
}

function writeSigned(value: number, write: (value: number) => string): string {
  if (value === 0) return "";
  return value < 0 ? `-${write(-value)}` : write(value);
}

function limitsDraft(of: Limits): LimitsDraft {
  const text = (value: number | null | undefined) => ((value ?? "") === "" ? "" : String(value));
  return {
    minNights: text(of.min_nights),
    maxNights: text(of.max_nights),
    minAhead: text(of.min_days_ahead),
    maxAhead: text(of.max_days_ahead),
  };
}

function limitsOf(draft: LimitsDraft): Limits {
  const nights = (text: string) => readWhole(text, 1, STAY_MAX);
  const ahead = (text: string) => readWhole(text, 0, AHEAD_MAX);
  return {
    min_nights: nights(draft.minNights),
    max_nights: nights(draft.maxNights),
    min_days_ahead: ahead(draft.minAhead),
    max_days_ahead: ahead(draft.maxAhead),
  };
}

function limitFaults(draft: LimitsDraft): string[] {
  const { min_nights: least, max_nights: most, ...ahead } = limitsOf(draft);
  const read = { minNights: least, maxNights: most };
  const days = { minAhead: ahead.min_days_ahead, maxAhead: ahead.max_days_ahead };
  const faults: string[] = LIMITS.filter(
    (name) => draft[name].trim() !== "" && ({ ...read, ...days }[name] ?? null) === null,
  );
  const isCrossed = (one: number | null | undefined, other: number | null | undefined) =>
    typeof one === "number" && typeof other === "number" && one > other;
  if (isCrossed(least, most)) faults.push("maxNights");
  if (isCrossed(days.minAhead, days.maxAhead)) faults.push("maxAhead");
  return faults;
}

export function rateDraft(
  rate: NightRate,
  currency: string,
  unrefundable: readonly string[],
): RateDraft {
  const money = (value: number) => writeAmount(value, currency);
  return {
    ...limitsDraft(rate),
    name: rate.name,
    meals: rate.meals ?? "none",
    share: writeSigned(rate.basis_points ?? 0, writeShare),
    amount: writeSigned(rate.amount ?? 0, money),
    guestAmount: rate.guest_amount ? money(rate.guest_amount) : "",
    isRefundable: !unrefundable.includes(rate.name),
  };
}

export function rateOf(draft: RateDraft, currency: string): NightRate {
  return {
    name: draft.name.trim(),
    meals: draft.meals,
    basis_points: readSigned(draft.share, readShare) ?? 0,
    amount: readSigned(draft.amount, (text) => readAmount(text, currency)) ?? 0,
    guest_amount: readAmount(draft.guestAmount, currency) ?? 0,
    ...limitsOf(draft),
  };
}

/** The names of the fields that cannot be read: "rates.0.name". */
export function rateFaults(
  drafts: readonly RateDraft[],
  currency: string,
  hasPolicy: boolean,
): string[] {
  const names = drafts.map(({ name }) => name.trim());
  return drafts.flatMap((draft, at) => {
    const isWrong = (text: string, value: number | null) => text.trim() !== "" && value === null;
    const faults = limitFaults(draft);
    if (names[at] === "" || names.indexOf(names[at] ?? "") !== at) faults.push("name");
    if (isWrong(draft.share, readSigned(draft.share, readShare))) faults.push("share");
    const amount = readSigned(draft.amount, (text) => readAmount(text, currency));
    if (isWrong(draft.amount, amount)) faults.push("amount");
    if (isWrong(draft.guestAmount, readAmount(draft.guestAmount, currency)))
      faults.push("guestAmount");
    if (!draft.isRefundable && !hasPolicy) faults.push("refund");
    return faults.map((name) => `rates.${at}.${name}`);
  });
}

export function discountDraft(of: StayDiscount): DiscountDraft {
  return { ...limitsDraft(of), name: of.name, share: writeShare(of.basis_points) };
}

export function discountOf(draft: DiscountDraft): StayDiscount {
  const share = readShare(draft.share) ?? 0;
  return { name: draft.name.trim(), basis_points: share, ...limitsOf(draft) };
}

export function discountFaults(drafts: readonly DiscountDraft[]): string[] {
  const names = drafts.map(({ name }) => name.trim());
  return drafts.flatMap((draft, at) => {
    const faults = limitFaults(draft);
    if (names[at] === "" || names.indexOf(names[at] ?? "") !== at) faults.push("name");
    if (!readShare(draft.share)) faults.push("share");
    if (LIMITS.every((name) => draft[name].trim() === "")) faults.push("limits");
    return faults.map((name) => `discounts.${at}.${name}`);
  });
}

export function guestsDraft(plan: Partial<NightsPlan>, currency: string): GuestsDraft {
  return {
    included: plan.guests_included ? String(plan.guests_included) : "",
    price: plan.guest_price ? writeAmount(plan.guest_price, currency) : "",
    children: (plan.children ?? []).map(({ under, basis_points: share }) => ({
      under: String(under),
      share: writeShare(share),
    })),
  };
}

export function guestsOf(draft: GuestsDraft, currency: string): Partial<NightsPlan> {
  const price = readAmount(draft.price, currency) ?? 0;
  const included = readWhole(draft.included, 1, ROOM_GUESTS_MAX);
  return {
    guests_included: price > 0 ? included : null,
    guest_price: price,
    children: draft.children.map(({ under, share }) => ({
      under: readWhole(under, 1, ADULT_AGE) ?? 1,
      basis_points: readShare(share) ?? 0,
    })),
  };
}

export function guestsFaults(draft: GuestsDraft, guests: string, currency: string): string[] {
  const { included, price, children } = draft;
  const faults: string[] = [];
  const amount = readAmount(price, currency);
  const most = readWhole(guests, 1, ROOM_GUESTS_MAX) ?? ROOM_GUESTS_MAX;
  if (price.trim() !== "" && amount === null) faults.push("guestPrices.price");
  const isNeeded = (amount ?? 0) > 0 || included.trim() !== "";
  if (isNeeded && readWhole(included, 1, most) === null) faults.push("guestPrices.included");
  if (included.trim() !== "" && (amount ?? 0) === 0) faults.push("guestPrices.price");
  let [age, share] = [0, 0];
  children.forEach((child, at) => {
    const under = readWhole(child.under, 1, ADULT_AGE);
    const part = readShare(child.share);
    if (under === null || under <= age) faults.push(`guestPrices.children.${at}.under`);
    if (part === null || part < share) faults.push(`guestPrices.children.${at}.share`);
    [age, share] = [under ?? age, part ?? share];
  });
  return [...new Set(faults)];
}

type Override = NonNullable<Cancellation["overrides"]>[number];

/** An override of rates alone that gives nothing back, which the form has at its rates. */
function isOfRates({ rates, units, categories, refundable }: Override): boolean {
  return refundable === false && !!rates?.length && !units?.length && !categories?.length;
}

/** The rates that give nothing back. */
export function unrefundableRates(policy: Cancellation | null | undefined): string[] {
  return (policy?.overrides ?? []).filter(isOfRates).flatMap(({ rates }) => rates ?? []);
}

/** The policy without what it says of such rates. */
export function withoutRates<Policy extends Cancellation | null>(policy: Policy): Policy {
  if (!policy?.overrides?.some(isOfRates)) return policy;
  return { ...policy, overrides: policy.overrides.filter((one) => !isOfRates(one)) };
}

/** The policy by which these rates give nothing back. */
export function withRates(
  policy: Cancellation | null,
  names: readonly string[],
): Cancellation | null {
  const others = withoutRates(policy);
  if (others === null || names.length === 0) return others;
  const own = { rates: [...names], refundable: false };
  return { ...others, overrides: [...(others.overrides ?? []), own] };
}
