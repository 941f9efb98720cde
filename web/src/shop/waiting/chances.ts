// How likely it is that something of a category is left at one's turn, in words: by the steps that the
// answer brings along, which are the server's own.
import type { CategoryChance, CategoryNow, WaitingRoomNow } from "~/api/schema";

export type Chance = CategoryChance["chance"];

type Left = Pick<CategoryNow, "units_left" | "enough_for">;
type Steps = WaitingRoomNow["chance_steps"];

/** `queue` is the number of one's queue in the room; `ahead` is null while there is no place. */
export function chanceOf(
  { units_left, enough_for }: Left,
  steps: Steps,
  queue: number,
  ahead: number | null,
): Chance {
  if (units_left === 0) return "gone";
  const enough = enough_for?.[queue];
  if (enough === undefined || ahead === null) return "unknown";
  const step = steps.find(({ of, parts }) => (ahead + 1) * parts <= enough * of);
  return step?.chance ?? "unlikely";
}

/** The categories of a room by their resources, in the order of these. */
export function byResource(categories: readonly CategoryNow[]): Map<string, CategoryNow[]> {
  const found = new Map<string, CategoryNow[]>();
  for (const one of categories) {
    const known = found.get(one.resource_id);
    if (known === undefined) found.set(one.resource_id, [one]);
    else known.push(one);
  }
  return found;
}
