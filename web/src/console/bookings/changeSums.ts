// The sums of a change of dates: what the clerk takes, what goes back, and the difference, which nobody counts out where
// the new stay is paid in full and the money of the old one goes back by the way it came.
import type { BookingView, Money } from "~/api/schema";

/** The stay of now: whether it was paid, and what goes back for it or, unpaid, what it costs; null where nobody knows. */
export type StayOfNow = { readonly isPaid: boolean; readonly amount: number | null };

/** What an unpaid booking costs. Of one that was cancelled in part only the price of the whole is known. */
export function unpaidStay({ amount, lines }: Pick<BookingView, "amount" | "lines">): StayOfNow {
  const isWhole = lines.every(({ cancelled_quantity: gone }) => gone === 0);
  return { isPaid: false, amount: isWhole ? amount.amount : null };
}

export type Sums = {
  /** What is taken now. */
  readonly take: number | null;
  /** What goes back, as it was paid. */
  readonly back: number | null;
  /** The price of an unpaid stay that a later one replaces. */
  readonly before: number | null;
  /** How much more, or less, the new one costs. */
  readonly more: number | null;
  /** Money is taken, and none goes back. */
  readonly isNothingBack: boolean;
};

export function sumsOf(total: number, { isPaid, amount }: StayOfNow, isTaken: boolean): Sums {
  const isOneWay = isTaken && !isPaid;
  return {
    take: isTaken ? total : null,
    back: isPaid ? amount : null,
    before: isPaid || isTaken ? null : amount,
    more: isOneWay || amount === null ? null : total - amount,
    isNothingBack: isOneWay,
  };
}

export function isSame(one: Money, other: Money): boolean {
  return one.amount === other.amount && one.currency === other.currency;
}
