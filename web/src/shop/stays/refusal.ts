// What a refused stay means for the visitor, and the other dates that the server offers.
import { isRecord, Problem } from "~/api/client";
import type { Range } from "./range";

const SAID = new Set([
  "unit_taken",
  "sold_out",
  "not_on_sale",
  "owner_limit_reached",
  "resource_closed",
  "resource_not_open",
  "plan_changed",
]);
const OTHERS_MAX = 4;

/** The key of what is said, below `refusal`; null for a problem that is not about the stay. */
export function stayRefusal(problem: unknown): string | null {
  return problem instanceof Problem && SAID.has(problem.code) ? problem.code : null;
}

/** The dates of the offers, each once. */
export function otherRanges(data: Readonly<Record<string, unknown>>): Range[] {
  const found = new Map<string, Range>();
  for (const line of linesOf(data["alternatives"])) {
    const { from: start, to: end } = line;
    if (typeof start === "string" && typeof end === "string") {
      found.set(`${start} ${end}`, { start, end });
    }
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
