// What may be wrong with the wish for a new resource, before the engine is asked.
import type { SeatsPlan } from "~/seatmap/plan";

/** Whether categories of the room have prices of their own. */
export function hasPrice(plan: SeatsPlan): boolean {
  return (plan.categories ?? []).some((category) => (category.price ?? 0) > 0);
}

/** Whether this may be a currency: the engine knows which there are. */
export function isCurrency(text: string): boolean {
  return /^[A-Z]{3}$/u.test(text);
}

/** Whether a time by this device's clocks, as an input has it, is over. */
export function isPast(local: string, now = Date.now()): boolean {
  return local !== "" && new Date(local).getTime() < now;
}
