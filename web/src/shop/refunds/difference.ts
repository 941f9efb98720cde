// What a change costs beside what is booked now: the new price, less what comes back or, unpaid, what was to be paid.
import type { BookingView } from "~/api/schema";

export type Difference = {
  readonly isPaid: boolean;
  /** What comes back for the booking of now or, unpaid, what it costs. */
  readonly before: number;
  /** How much more the new one costs; below zero how much less. */
  readonly more: number;
  readonly say: "more" | "less" | "even";
};

type Of = Pick<BookingView, "amount" | "lines"> & { readonly payment: object | null };

/** Null where nobody knows: what comes back is asked for still, or of what is unpaid a part was cancelled, and only the
 *  price of the whole is known. */
export function differenceOf(
  booking: Of,
  total: number,
  back: number | undefined,
): Difference | null {
  const isPaid = booking.payment !== null;
  const isWhole = booking.lines.every(({ cancelled_quantity: gone }) => gone === 0);
  const before = isPaid ? back : isWhole ? booking.amount.amount : undefined;
  if (before === undefined) return null;
  const more = total - before;
  return { isPaid, before, more, say: more > 0 ? "more" : more < 0 ? "less" : "even" };
}
