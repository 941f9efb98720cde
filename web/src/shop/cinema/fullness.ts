// How full a show is, for its button.

export type Fullness = "plenty" | "few" | "sold_out" | "not_yet" | "closed";

const FEW_SHARE = 0.12;

type Level = { state: string; units_free: number; units_total: number };

export function fullnessOf(show: Level): Fullness {
  if (show.state === "called_off" || show.state === "closed") return "closed";
  if (show.state === "not_yet") return "not_yet";
  if (show.state === "sold_out" || show.units_free <= 0) return "sold_out";
  return show.units_free <= show.units_total * FEW_SHARE ? "few" : "plenty";
}

/** The share of its seats that is taken, 0 to 1. */
export function takenShare(show: Pick<Level, "units_free" | "units_total">): number {
  if (show.units_total <= 0) return 0;
  return Math.min(1, Math.max(0, 1 - show.units_free / show.units_total));
}
