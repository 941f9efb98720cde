// Whether a guest may change what they have paid for.
import type { BookingView, RefundQuote } from "~/api/schema";

/** Whether all of what was paid for a booking would come back, its fees too: only then its guest changes it. */
export function givesAllBack(
  refund: Pick<RefundQuote, "amount" | "lines"> | undefined,
  { payment, refunds }: Pick<BookingView, "payment" | "refunds">,
): boolean {
  if (refund === undefined || payment === null) return false;
  const gone = refunds.reduce((sum, one) => sum + one.amount.amount, 0);
  return (
    refund.amount === payment.amount.amount - gone &&
    refund.lines.every(({ basis_points: share }) => share === 10_000)
  );
}
