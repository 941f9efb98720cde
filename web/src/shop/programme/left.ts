// How much is left of a date or of an event, in the words of the pages.

export type Left = "plenty" | "few" | "sold_out" | "not_yet" | "closed" | "called_off";

const FEW_SHARE = 0.12;
const FEW = 20;

type Level = { state: string; units_free: number; units_total?: number | null | undefined };

/** Of an event it is not known how many there were, so that few is a number. */
export function leftOf({ state, units_free, units_total }: Level): Left {
  if (state === "called_off" || state === "not_yet" || state === "sold_out") return state;
  if (state !== "on_sale") return "closed";
  if (units_free <= 0) return "sold_out";
  const few = typeof units_total === "number" ? units_total * FEW_SHARE : FEW;
  return units_free <= few ? "few" : "plenty";
}

export function isForSale(left: Left): boolean {
  return left === "plenty" || left === "few";
}
