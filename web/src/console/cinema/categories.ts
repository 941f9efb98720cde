// The categories of a screen's plan and their usual prices, which shows have that say no others.
import type { SeatsPlan as FullPlan } from "~/api/schema";
import { categoriesOf } from "~/seatmap/categories";
import { type SeatsPlan, STANDARD } from "~/seatmap/plan";
import { readAmount, writeAmount } from "../programme/amounts";

export type Category = { readonly name: string; readonly price: string };
/** By category, in whole units. */
export type Prices = Readonly<Record<string, string>>;

/** The categories in use, each with the price that it has in the plan. */
export function screenCategories(plan: SeatsPlan, currency: string): Category[] {
  const own = new Map((plan.categories ?? []).map(({ name, price }) => [name, price]));
  const seats = categoriesOf({ price: { amount: 0, currency } }, plan).map(({ name }) => name);
  const areas = (plan.pools ?? []).map(({ category }) => category ?? STANDARD);
  return [...new Set([...seats, ...areas])].map((name) => {
    const price = own.get(name);
    return {
      name,
      price: price === undefined || price === null ? "" : writeAmount(price, currency),
    };
  });
}

/** As it was typed, or else as the plan has it. */
export const priceOf = (prices: Prices, { name, price }: Category) => prices[name] ?? price;

/** Those whose price cannot be read; what is empty has none. */
export function priceFaults(
  prices: Prices,
  categories: readonly Category[],
  currency: string,
): string[] {
  return categories
    .filter((one) => {
      const text = priceOf(prices, one).trim();
      return text !== "" && readAmount(text, currency) === null;
    })
    .map(({ name }) => `prices.${name}`);
}

/** The plan with the prices that were typed; the others stay. A plan that lists no categories lists them
 * from then on. */
export function pricedPlan<Plan extends SeatsPlan | FullPlan>(
  plan: Plan,
  prices: Prices,
  currency: string,
): Plan {
  if (Object.keys(prices).length === 0) return plan;
  const listed = plan.categories ?? [];
  const all =
    listed.length > 0 ? listed : screenCategories(plan, currency).map(({ name }) => ({ name }));
  const categories = all.map((one) => {
    const typed = prices[one.name];
    return typed === undefined ? one : { ...one, price: readAmount(typed, currency) };
  });
  return { ...plan, categories };
}
