// What of a booking's money goes back, in the words of shop.json.
import type { BookingView, Refund } from "../types";

/** A line that is still booked, with how many of it are. */
export type LeftLine = {
  resource_id: string;
  unit: string | null;
  quantity: number | null;
  left: number;
};

/** The lines of which something is left. */
export function leftLines(booking: Pick<BookingView, "lines">): LeftLine[] {
  return booking.lines.flatMap((line) => {
    const left = (line.quantity ?? 1) - line.cancelled_quantity;
    const { resource_id, unit, quantity } = line;
    return left > 0 ? [{ resource_id, unit, quantity, left }] : [];
  });
}

/** The key of the words for the rule of a refund quote, and the hours that they name. */
export function ruleWords(rule: string): { say: string; hours: number } {
  const [name = "", seconds] = rule.split(":");
  const hours = seconds === undefined ? 0 : Math.round(Number(seconds) / 3600);
  if (name === "before") {
    return hours >= 48
      ? { say: "before_days", hours: Math.round(hours / 24) }
      : { say: "before", hours };
  }
  return { say: name, hours: 0 };
}

/** How the money goes: on its way, back, or stuck. */
export function refundsState(
  refunds: readonly Pick<Refund, "state">[],
): "none" | "pending" | "refunded" | "failed" {
  if (refunds.length === 0) return "none";
  if (refunds.some((refund) => refund.state === "pending")) return "pending";
  return refunds.some((refund) => refund.state === "failed") ? "failed" : "refunded";
}
