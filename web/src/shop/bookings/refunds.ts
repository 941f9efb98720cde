// The rules of refunds in words, and the state of a booking's refunds.
import type { Refund } from "~/api/schema";

/** The text key of a refund rule, and its number of hours or days. */
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

export function refundsState(
  refunds: readonly Pick<Refund, "state">[],
): "none" | "pending" | "refunded" | "failed" {
  if (refunds.length === 0) return "none";
  if (refunds.some((refund) => refund.state === "pending")) return "pending";
  return refunds.some((refund) => refund.state === "failed") ? "failed" : "refunded";
}
