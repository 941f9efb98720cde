// The categories of a room with their prices.
import type { Resource } from "~/api/schema";
import { seatRows, ACCESSIBLE } from "./seats";
import { STANDARD, type SeatsPlan } from "./plan";

const NOWHERE = { amount: 0, currency: "" };

export type PricedCategory = { name: string; price: number | null; color: string | null };

/** The categories in use, the cheapest first. */
export function categoriesOf(resource: Pick<Resource, "price">, plan: SeatsPlan): PricedCategory[] {
  const used = new Set<string>();
  for (const row of seatRows(plan)) for (const spot of row.spots) used.add(spot.category);
  for (const section of plan.sections ?? []) {
    for (const table of section.tables ?? []) {
      if (table.whole) used.add(table.category ?? section.category ?? STANDARD);
    }
  }
  const listed = new Map((plan.categories ?? []).map((category) => [category.name, category]));
  const found = [...used].map((name) => {
    const own = listed.get(name);
    return { name, price: own?.price ?? resource.price.amount, color: own?.color ?? null };
  });
  return found.sort((one, other) => one.price - other.price);
}

export function hasAccessible(plan: SeatsPlan): boolean {
  return seatRows(plan).some((row) => row.spots.some((spot) => spot.access === ACCESSIBLE));
}

/** A room of standing areas alone. */
export function hasOnlyAreas(plan: SeatsPlan): boolean {
  return (plan.pools ?? []).length > 0 && categoriesOf({ price: NOWHERE }, plan).length === 0;
}
