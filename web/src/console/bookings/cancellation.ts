// The lines of a cancellation, and the amount of a refund in full.
import type { BookingView, Line } from "~/api/schema";

/** The indexes of lines that are not fully cancelled. */
export function placesLeft(booking: BookingView): number[] {
  return booking.lines.flatMap((line, at) =>
    line.cancelled_quantity < (line.quantity ?? 1) ? [at] : [],
  );
}

/** The request's lines at these indexes; null for all that is left. */
export function asked(booking: BookingView, places: readonly number[]): Line[] | null {
  const left = placesLeft(booking);
  if (left.every((place) => places.includes(place))) return null;
  return left
    .filter((place) => places.includes(place))
    .flatMap((place) => {
      const line = booking.lines[place];
      if (line === undefined) return [];
      const quantity = line.quantity === null ? null : line.quantity - line.cancelled_quantity;
      return [
        {
          resource_id: line.resource_id,
          unit: line.unit,
          quantity,
          ...(line.from === undefined ? {} : { from: line.from }),
          ...(line.to === undefined ? {} : { to: line.to }),
        },
      ];
    });
}

/** The amount of a refund in full, in minor units; null if only the server can say. */
export function fullAmount(booking: BookingView, places: readonly number[]): number | null {
  const { payment, quote } = booking;
  if (payment === null) return 0;
  let left = payment.amount.amount - payment.refunding;
  if (quote === null) return asked(booking, places) === null ? left : null;
  const shares = spread(payment.amount.amount - sum(quote.amounts), quote.amounts);
  let total = 0;
  for (const place of places) {
    const line = booking.lines[place];
    if (line === undefined) continue;
    // A difference of rounded sums, as on the server, so that partial cancellations add up.
    const whole = (quote.amounts[place] ?? 0) + (shares[place] ?? 0);
    const before = Math.floor((whole * line.cancelled_quantity) / (line.quantity ?? 1));
    const amount = Math.min(left, whole - before);
    left -= amount;
    total += amount;
  }
  return total;
}

/** Splits an amount by weights; the parts add up to it. */
function spread(amount: number, weights: readonly number[]): number[] {
  const total = sum(weights);
  if (total === 0) return weights.map((_, at) => (at === 0 ? amount : 0));
  let seen = 0;
  let given = 0;
  return weights.map((weight) => {
    seen += weight;
    const upto = Math.floor((amount * seen) / total);
    const part = upto - given;
    given = upto;
    return part;
  });
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
