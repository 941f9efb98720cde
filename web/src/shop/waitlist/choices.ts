// What of a resource a party can wait for: the form that its plan needs, the names to choose from, and how many of
// each there are at all. What only a code sells is left out, because nobody who waits could have it.
import type { Plan, PoolPlan, Product, Resource } from "~/api/schema";
import { categoriesOf } from "~/seatmap/categories";
import { seatsPlan } from "../units";

type Alike = Pick<Resource, "plan" | "price" | "time_zone">;

/** Whether another resource of the list would do with a range of this one: it sells by the same clock, in the same
 * way, for the same money. */
export function sellsAlike(other: Alike, own: Alike): boolean {
  return (
    other.plan.type === own.plan.type &&
    other.time_zone === own.time_zone &&
    other.price.currency === own.price.currency
  );
}

/** What is asked beside the party: nothing, its dates, its times or its stops. */
export type Asked = "places" | "nights" | "times" | "legs";
/** A name, and the most that one party can have of it; null: nobody says. */
export type Choice = { readonly name: string; readonly most: number | null };

const ASKED: Readonly<Record<Plan["type"], Asked>> = {
  seats: "places",
  pools: "places",
  tickets: "places",
  nights: "nights",
  times: "times",
  moments: "times",
  legs: "legs",
};

/** Null for a plan of a shape that this page does not know. */
export function askedOf({ plan }: Pick<Resource, "plan">): Asked | null {
  return Object.hasOwn(ASKED, plan.type) ? ASKED[plan.type] : null;
}

// A room has thousands of seats, which are looked through once.
const known = new WeakMap<Plan, readonly Choice[]>();

/** The names to choose from, as a wish has them; with a rate of times, of those who give it. */
export function choicesOf(
  resource: Pick<Resource, "plan" | "price">,
  rate = "",
): readonly Choice[] {
  const { plan } = resource;
  const found = known.get(plan) ?? readChoices(resource);
  known.set(plan, found);
  const givers =
    plan.type === "times" ? plan.rates?.find(({ name }) => name === rate)?.providers : null;
  return givers ? found.filter(({ name }) => givers.includes(name)) : found;
}

/** The rates of times, of which a wish has to name one. */
export function ratesOf({ plan }: Pick<Resource, "plan">): readonly string[] {
  return plan.type === "times" ? (plan.rates ?? []).map(({ name }) => name) : [];
}

function readChoices({ plan, price }: Pick<Resource, "plan" | "price">): Choice[] {
  switch (plan.type) {
    case "seats":
    case "legs": {
      // A run has its seats as a room has.
      const seats = seatsPlan({ plan: { type: "seats", sections: plan.sections ?? [] } });
      const categories = seats === null ? [] : categoriesOf({ price }, seats);
      return [...categories.map(({ name }) => ({ name, most: null })), ...areas(plan.pools ?? [])];
    }
    case "pools": {
      const { pools, products = [] } = plan;
      const sold = products.filter((product) => product.needs_code !== true);
      const own = plan.sell_pools === true || products.length === 0 ? areas(pools) : [];
      return [...sold.map((product) => productChoice(product, pools)), ...own];
    }
    case "times":
      return (plan.providers ?? []).map(({ name, capacity }) => ({
        name,
        most: capacity ?? plan.capacity ?? 1,
      }));
    case "moments":
      return (plan.things ?? []).map((name) => ({ name, most: 1 }));
    default:
      return [];
  }
}

function areas(pools: readonly PoolPlan[]): Choice[] {
  return pools.map(({ unit, capacity }) => ({ name: unit, most: capacity }));
}

function productChoice(product: Product, pools: readonly PoolPlan[]): Choice {
  const enough = product.draws.map(({ pool, each = 1 }) => {
    const capacity = pools.find(({ unit }) => unit === pool)?.capacity ?? 0;
    return Math.floor(capacity / each);
  });
  return { name: product.name, most: Math.min(product.max_per_line ?? Infinity, ...enough) };
}

/** How large a party can be: with a choice that was made, or with any. */
export function partyMax(
  resource: Pick<Resource, "plan" | "price" | "owner_limit">,
  chosen: string,
  bound: number,
  rate = "",
): number {
  const choices = choicesOf(resource, rate);
  const of = choices.find(({ name }) => name === chosen)?.most;
  const most = of === undefined ? anyMost(resource.plan, choices) : of;
  return Math.max(1, Math.min(bound, resource.owner_limit ?? bound, most ?? bound));
}

/** The largest party where any will do. Who takes one at a time takes a party as so many of them together. */
function anyMost(plan: Plan, choices: readonly Choice[]): number | null {
  if (plan.type === "tickets") return plan.count;
  if (plan.type === "nights") return plan.rooms?.length ?? plan.count ?? null;
  if (plan.type === "moments") return Math.max(1, choices.length);
  if (plan.type === "times" && choices.length === 0) return plan.capacity ?? 1;
  const mosts = choices.map(({ most }) => most ?? Infinity);
  if (plan.type === "times" && mosts.every((most) => most === 1)) return mosts.length;
  const most = Math.max(0, ...mosts);
  return Number.isFinite(most) && most > 0 ? most : null;
}

/** Whether it has numbered seats, which are next to each other or not, and the choice is none without a number. */
export function isSeated(resource: Pick<Resource, "plan" | "price">, chosen: string): boolean {
  const { plan } = resource;
  if (plan.type !== "seats" && plan.type !== "legs") return false;
  const isArea = (plan.pools ?? []).some(({ unit }) => unit === chosen);
  return !isArea && choicesOf(resource).some(({ most }) => most === null);
}
