// How likely it is that something of a category is left at one's turn, in words. Percents would say more
// than is known: how long a category lasts is an estimate, and so is how much each takes.
import type { CategoryNow } from "~/api/schema";

export type Chance = "very_likely" | "likely" | "uncertain" | "unlikely" | "gone" | "unknown";

type Left = Pick<CategoryNow, "units_left" | "enough_for">;

/** `queue` is the number of one's queue in the room; `ahead` is null while there is no place. Whoever
 * stands further behind never has the better chance. */
export function chanceOf(
  { units_left, enough_for }: Left,
  queue: number,
  ahead: number | null,
): Chance {
  if (units_left === 0) return "gone";
  const enough = enough_for?.[queue];
  if (enough === undefined || ahead === null) return "unknown";
  const place = ahead + 1;
  // Also if each takes half as much again as was measured.
  if (place * 3 <= enough * 2) return "very_likely";
  if (place <= enough) return "likely";
  // If each takes two thirds of it.
  return place * 2 <= enough * 3 ? "uncertain" : "unlikely";
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
