// What a refused appointment means for the visitor, and the other times that the server offers.
import { isRecord, Problem } from "~/api/client";

const SAID = new Set([
  "unit_taken",
  "sold_out",
  "not_on_sale",
  "owner_limit_reached",
  "resource_closed",
  "resource_not_open",
  "plan_changed",
]);
const OTHERS_MAX = 6;

/** A time, and who gives it; "" is anyone. */
export type Offered = { readonly from: string; readonly provider: string };

/** The key of what is said, below `refusal`; null for a problem that is not about the time. */
export function timeRefusal(problem: unknown): string | null {
  return problem instanceof Problem && SAID.has(problem.code) ? problem.code : null;
}

/** The times of the offers, each once. Anyone was asked for where `provider` is "": who it is, the server says. */
export function otherTimes(problem: unknown, provider: string): Offered[] {
  if (!(problem instanceof Problem)) return [];
  const found = new Map<string, Offered>();
  for (const { from, unit } of linesOf(problem.data["alternatives"])) {
    if (typeof from !== "string" || Number.isNaN(Date.parse(from))) continue;
    const name = provider !== "" && typeof unit === "string" ? unit : "";
    found.set(`${Date.parse(from)} ${name}`, { from, provider: name });
  }
  return [...found.values()].slice(0, OTHERS_MAX);
}

function linesOf(alternatives: unknown): Record<string, unknown>[] {
  const offers = records(alternatives).flatMap(({ offers: some }) =>
    Array.isArray(some) ? some : [],
  );
  return offers.flatMap((lines: unknown) => records(lines));
}

function records(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
