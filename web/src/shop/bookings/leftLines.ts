// The cancellable lines of a booking.
import type { BookedLine, BookingView } from "~/api/schema";

/** A line with the quantity that is not cancelled. */
export type LeftLine = Omit<BookedLine, "cancelled_quantity"> & { left: number };

/** The lines that are not fully cancelled. */
export function leftLines(booking: Pick<BookingView, "lines">): LeftLine[] {
  return booking.lines.flatMap((line) => {
    const { cancelled_quantity: cancelled, ...said } = line;
    const left = (line.quantity ?? 1) - cancelled;
    return left > 0 ? [{ ...said, left }] : [];
  });
}
