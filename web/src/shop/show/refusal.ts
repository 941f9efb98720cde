// What a refused hold means for the visitor: conflicts, offers, retries. The page has the texts.
import { Problem } from "~/api/client";
import type { Line } from "~/api/schema";
import { conflictUnits, offeredChoices, orphanUnits, type OfferedChoice } from "./lines";

/** `say` is the key of the text in shop.json below `refusal`; it names `units`. */
export type Refusal = {
  say: string;
  units: readonly string[];
  choices: readonly OfferedChoice[];
  /** The visitor's limit, or what is left. */
  count: number | null;
  mayRetry: boolean;
};

const CHOICES_MAX = 4;

/** Null for a problem that is not about the seats (network, server). */
export function refusalOf(problem: unknown, lines: readonly Pick<Line, "unit">[]): Refusal | null {
  if (!(problem instanceof Problem)) return null;
  const { data, code } = problem;
  const choices = offeredChoices(data, lines).slice(0, CHOICES_MAX);
  const plain = { units: [], choices, count: null, mayRetry: false };
  switch (code) {
    case "unit_taken":
      // The conflicting hold is gone: a retry may succeed.
      if (conflictUnits(data).length === 0) return { ...plain, say: "again", mayRetry: true };
      return {
        ...plain,
        say: choices.length > 0 ? "faster_choices" : "faster",
        units: conflictUnits(data),
      };
    case "sold_out": {
      const count = countIn(data, "available");
      const [unit] = conflictUnits(data);
      if (unit?.startsWith("code:")) return { ...plain, say: "code_used_up" };
      return { ...plain, say: count === null || count === 0 ? "sold_out" : "few_left", count };
    }
    case "orphan_seat": {
      const units = orphanUnits(data);
      return { ...plain, say: units.length > 0 ? "orphan_named" : "orphan", units };
    }
    case "owner_limit_reached": {
      const count = countIn(data, "owner_limit", "limits");
      return { ...plain, say: count === null ? "limit" : "limit_of", count };
    }
    case "not_together":
    case "resource_closed":
    case "resource_not_open":
    case "kept_for_waitlist":
    case "not_on_sale":
    case "unknown_code":
    case "unknown_unit":
      return { ...plain, say: code };
    case "plan_changed":
      return { ...plain, say: code, mayRetry: true };
    default:
      return null;
  }
}

function countIn(
  data: Readonly<Record<string, unknown>>,
  name: string,
  list = "conflicts",
): number | null {
  const own = data[name];
  if (typeof own === "number") return own;
  const of: unknown = data[list];
  const [first]: unknown[] = Array.isArray(of) ? of : [];
  if (typeof first !== "object" || first === null) return null;
  const value: unknown = Reflect.get(first, name);
  return typeof value === "number" ? value : null;
}
