// Commands on the categories of a room, and what has which.
import { STANDARD, type Category, type SeatsPlan, type Section } from "~/seatmap/plan";
import { seatRows } from "~/seatmap/seats";
import { edited, orNothing, withSection, type Changes } from "./edit";
import { itemOf, type Key } from "./items";
import { freeName } from "./freeNames";
import { withFields } from "./parts";
import { renameWord } from "./translations";
import { usedCategories } from "./usedCategories";

const COLOURS = "#3d6fb0 #c9a227 #8d4f9e #2f7d4f #b3532f #4a7f8c #a83b5b #6b6f2a".split(" ");

/** Another category, with a name and a colour that are free. Where the plan listed none, those that
 * it uses are listed first, because from then on no other is known. */
export function addCategory(plan: SeatsPlan, name: string): SeatsPlan {
  const listed = plan.categories ?? [];
  const used = listed.length > 0 ? [] : usedCategories(plan);
  const before: Category[] = [
    ...listed,
    ...used.map((own, at): Category => ({ name: own, color: colour(at) })),
  ];
  const names = new Set(before.map((category) => category.name));
  const made: Category = {
    name: freeName(name, (tried) => names.has(tried)),
    color: colour(before.length),
    rank: Math.min(1000, Math.max(0, ...before.map((category) => category.rank ?? 1)) + 1),
  };
  return edited(plan, { categories: [...before, made] });
}

const colour = (at: number): string => COLOURS[at % COLOURS.length] ?? "#3d6fb0";

/** Changes a category; with its name everything that has it, and what it is called elsewhere. */
export function changeCategory(plan: SeatsPlan, at: number, changes: Changes<Category>): SeatsPlan {
  const before = plan.categories?.[at];
  if (before === undefined) return plan;
  const made = edited(before, changes);
  const listed = edited(plan, { categories: plan.categories?.with(at, made) });
  if (made.name === before.name) return listed;
  return renameWord(renamed(listed, before.name, made.name), before.name, made.name);
}

/** Takes a category away; what had it gets the first that is left. */
export function removeCategory(plan: SeatsPlan, at: number): SeatsPlan {
  const gone = plan.categories?.[at];
  if (gone === undefined) return plan;
  const left = plan.categories?.toSpliced(at, 1);
  const instead = left?.[0]?.name;
  const listed = edited(plan, { categories: orNothing(left) });
  return instead === undefined ? listed : renamed(listed, gone.name, instead);
}

type Categorized = { readonly category?: string | null };
type Change = <T extends Categorized>(part: T) => T;

function withParts(section: Section, change: Change): Section {
  const rows = section.rows?.map((row) => {
    const made = change(row);
    return made.list ? { ...made, list: made.list.map(change) } : made;
  });
  const tables = section.tables?.map(change);
  return { ...section, ...(rows && { rows }), ...(tables && { tables }) };
}

function renamed(plan: SeatsPlan, from: string, to: string): SeatsPlan {
  const own: Change = (part) => (part.category === from ? { ...part, category: to } : part);
  const sections = plan.sections?.map((section) => {
    const made = withParts(section, own);
    return (section.category ?? STANDARD) === from ? { ...made, category: to } : made;
  });
  const pools = plan.pools?.map(own);
  return { ...plan, ...(sections && { sections }), ...(pools && { pools }) };
}

/** Gives items a category: a section and all of its parts, a row, a table, an area. */
export function setCategory(plan: SeatsPlan, keys: readonly Key[], category: string): SeatsPlan {
  const plain: Change = (part) => edited<Categorized>(part, { category: undefined }) as typeof part;
  return keys.reduce((made, key) => {
    const item = itemOf(key);
    if (item?.kind === "section")
      return withSection(made, item.section, (section) => ({
        ...withParts(section, plain),
        category,
      }));
    const isSold = item?.kind === "row" || item?.kind === "table" || item?.kind === "pool";
    return isSold ? withFields(made, key, { category }) : made;
  }, plan);
}

/** How many places each category has: seats, and what the areas hold. Whole tables are one. */
export function countByCategory(plan: SeatsPlan): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (name: string, count: number) => counts.set(name, (counts.get(name) ?? 0) + count);
  for (const category of plan.categories ?? []) counts.set(category.name, 0);
  for (const row of seatRows(plan)) for (const spot of row.spots) add(spot.category, 1);
  for (const section of plan.sections ?? []) {
    for (const table of section.tables ?? []) {
      if (table.whole) add(table.category ?? section.category ?? STANDARD, 1);
    }
  }
  for (const pool of plan.pools ?? []) if (pool.category) add(pool.category, pool.capacity);
  return counts;
}
