// The categories of a room that lists none.
import { STANDARD, type SeatsPlan } from "~/seatmap/plan";

/** The categories that anything names, in the order in which they are met. */
export function usedCategories(plan: SeatsPlan): string[] {
  const names = (plan.sections ?? []).flatMap((section) => [
    section.category ?? STANDARD,
    ...(section.rows ?? []).flatMap((row) => [row, ...(row.list ?? [])]).map((of) => of.category),
    ...(section.tables ?? []).map((table) => table.category),
  ]);
  const all = [...names, ...(plan.pools ?? []).map((pool) => pool.category)];
  return [...new Set(all.flatMap((name) => name ?? []))];
}
