// What the engine would refuse in a room, and what a person should look at twice. Each problem names
// the item that it is about, so that one step leads to it. The engine's own rules stand in Python
// (inventory/seats); they are here again because the page answers at every stroke, without the server.
import { contrast, parseColour } from "~/seatmap/colour";
import { STANDARD, type Category, type Row, type SeatsPlan, type Section } from "~/seatmap/plan";
import { seatRows } from "~/seatmap/seats";
import { FOCUS, poolKey, rowKey, sectionKey, tableKey, type Key } from "./items";
import { isListed, placeOf, stepOf } from "./rows";
import { sceneOf } from "./scene";
import { lettersOf, LETTERS_MAX, WORDS_MAX } from "./translations";

export type Problem = {
  readonly key: Key | null;
  readonly code: string;
  readonly values: Readonly<Record<string, string | number>>;
  /** The engine takes a room with a warning, and none with an error. */
  readonly isError: boolean;
};

const UNITS_MAX = 200_000;
const PROBLEMS_MAX = 100;
const RESERVED = ["owner:", "code:", "next:"];
const CONTRAST_LEAST = 1.5;
const PAPERS = ["#ffffff", "#1c1a29"] as const;
/** Seats nearer to each other than this stand on each other. */
const APART_LEAST = 0.6;

export function problemsOf(plan: SeatsPlan): Problem[] {
  const errors: Problem[] = [];
  const warnings: Problem[] = [];
  const error: Tell = (key, code, values = {}) => errors.push({ key, code, values, isError: true });
  const warn: Tell = (key, code, values = {}) =>
    warnings.push({ key, code, values, isError: false });
  checkCategories(plan, error, warn);
  (plan.sections ?? []).forEach((section, at) => checkSection(section, at, error));
  checkUnits(plan, error);
  checkKnown(plan, error);
  checkTranslations(plan, error);
  if (errors.length === 0) checkPlaces(plan, warn);
  checkOutlines(plan, warn);
  return [...errors, ...warnings].slice(0, PROBLEMS_MAX);
}

type Tell = (key: Key | null, code: string, values?: Problem["values"]) => void;

function checkCategories(plan: SeatsPlan, error: Tell, warn: Tell): void {
  const names = new Set<string>();
  for (const category of plan.categories ?? []) {
    const values = { category: category.name };
    if (names.has(category.name)) error(null, "category_twice", values);
    names.add(category.name);
    if (isFaint(category)) warn(null, "faint_colour", values);
  }
}

export function isFaint({ color }: Category): boolean {
  const own = color ? parseColour(color) : null;
  return own !== null && PAPERS.some((paper) => contrast(own, parseColour(paper)) < CONTRAST_LEAST);
}

function checkSection(section: Section, at: number, tell: Tell): void {
  const isHalf = (of: { x?: number | null; y?: number | null }) =>
    (typeof of.x === "number") !== (typeof of.y === "number");
  if (isHalf(section)) tell(sectionKey(at), "half_place", { name: section.name });
  (section.rows ?? []).forEach((row, number) => checkRow(row, rowKey(at, number), tell));
  (section.tables ?? []).forEach((table, number) => {
    const key = tableKey(at, number);
    const values = { name: table.name };
    if (isHalf(table)) tell(key, "half_place", values);
    if (table.whole && table.accessible?.length) tell(key, "whole_accessible", values);
    if (table.accessible?.some((seat) => seat < 1 || seat > table.seats)) {
      tell(key, "no_such_accessible", values);
    }
  });
}

function checkRow(row: Row, key: Key, tell: Tell): void {
  const values = { name: row.name };
  if (isListed(row)) return checkListed(row, key, tell);
  const seats = row.seats ?? 0;
  if (seats < 1) return tell(key, "no_seats", values);
  const last = (row.first ?? 1) + (seats - 1) * stepOf(row);
  if (stepOf(row) === 0 || last < 0) return tell(key, "cannot_count", values);
  const without = new Set(row.without);
  const isIn = (number: number) => placeOf(row, number) !== null;
  const isSeat = (number: number) => isIn(number) && !without.has(number);
  const bad = row.aisles?.find((number) => !isIn(number));
  if (bad !== undefined) tell(key, "no_such_aisle", { ...values, seat: bad });
  const lost = row.accessible?.find((number) => !isSeat(number));
  if (lost !== undefined) tell(key, "no_such_accessible", { ...values, seat: lost });
  const [known, strange] = [true, false].map((is) =>
    (row.companions ?? []).filter(({ seat }) => isSeat(seat) === is),
  );
  for (const { seat } of strange ?? []) tell(key, "no_such_companion", { ...values, seat });
  checkCompanions(new Set(row.accessible), known ?? [], key, values, tell);
}

type Sat = string | number;

function checkCompanions(
  accessible: ReadonlySet<Sat>,
  companions: readonly { readonly seat: Sat; readonly of: Sat }[],
  key: Key,
  values: Problem["values"],
  tell: Tell,
): void {
  const seen = new Set<Sat>();
  for (const { seat, of } of companions) {
    if (!accessible.has(of) || seen.has(of))
      tell(key, "companion_of_nobody", { ...values, seat, of });
    else if (accessible.has(seat) || seen.has(seat))
      tell(key, "companion_twice", { ...values, seat });
    seen.add(seat);
  }
}

function checkListed(row: Row, key: Key, tell: Tell): void {
  const values = { name: row.name };
  const counted = [row.without, row.aisles, row.accessible, row.companions].some(
    (one) => one?.length,
  );
  const isOdd = (row.first ?? 1) !== 1 || stepOf(row) !== 1;
  if (row.seats || counted || isOdd) tell(key, "counted_and_listed", values);
  const list = row.list ?? [];
  const placed = list.flatMap((seat) => [typeof seat.x === "number", typeof seat.y === "number"]);
  if (new Set(placed).size > 1) tell(key, "some_places", values);
  const accessible = new Set(list.flatMap((seat) => (seat.accessible ? [seat.label] : [])));
  const companions = list.flatMap(({ label, companion_of: of }) =>
    typeof of === "string" ? [{ seat: label, of }] : [],
  );
  checkCompanions(accessible, companions, key, values, tell);
}

function checkUnits(plan: SeatsPlan, tell: Tell): void {
  const units = new Set<string>();
  const twice = new Set<Key>();
  let count = 0;
  const add = (unit: string, key: Key) => {
    if (RESERVED.some((word) => unit.startsWith(word)))
      tell(key, "reserved", { unit: unit.slice(0, 60) });
    if (units.has(unit) && !twice.has(key)) {
      twice.add(key);
      tell(key, "unit_twice", { unit });
    }
    units.add(unit);
  };
  const { bankKeys } = sceneOf(plan);
  let bank = 0;
  for (const row of seatRows(plan)) {
    if (row.spots.length === 0) continue;
    const key = bankKeys[bank] ?? sectionKey(row.section);
    for (const spot of row.spots) add(spot.unit, key);
    count += row.spots.length;
    bank += 1;
  }
  (plan.sections ?? []).forEach((section, at) => {
    (section.tables ?? []).forEach((table, number) => {
      if (!table.whole) return;
      add((section.prefix ?? "") + table.name, tableKey(at, number));
      count += 1;
    });
  });
  if (count > UNITS_MAX) tell(null, "too_many_units", { most: UNITS_MAX, count });
  (plan.pools ?? []).forEach((pool, at) => add(pool.unit, poolKey(at)));
  if (units.size === 0) tell(null, "no_units");
}

/** Where categories are listed, no other is known. */
function checkKnown(plan: SeatsPlan, tell: Tell): void {
  const known = new Set((plan.categories ?? []).map((category) => category.name));
  if (known.size === 0) return;
  const told = new Set<string>();
  const check = (category: string, key: Key) => {
    if (known.has(category) || told.has(`${key} ${category}`)) return;
    told.add(`${key} ${category}`);
    tell(key, "unknown_category", { category });
  };
  (plan.sections ?? []).forEach((section, at) => {
    const usual = section.category ?? STANDARD;
    (section.rows ?? []).forEach((row, number) => {
      const key = row.category ? rowKey(at, number) : sectionKey(at);
      const own = row.category ?? usual;
      if (!isListed(row)) check(own, key);
      for (const seat of row.list ?? [])
        check(seat.category ?? own, seat.category ? rowKey(at, number) : key);
    });
    (section.tables ?? []).forEach((table, number) =>
      check(table.category ?? usual, tableKey(at, number)),
    );
  });
  (plan.pools ?? []).forEach((pool, at) => pool.category && check(pool.category, poolKey(at)));
}

function checkTranslations(plan: SeatsPlan, tell: Tell): void {
  const seen = new Set<string>();
  for (const { language, words } of plan.translations ?? []) {
    if (seen.has(language.toLowerCase())) tell(null, "language_twice", { language });
    seen.add(language.toLowerCase());
    const count = Object.keys(words).length;
    if (count > WORDS_MAX) tell(null, "too_many_words", { language, count, most: WORDS_MAX });
  }
  const letters = lettersOf(plan);
  if (letters > LETTERS_MAX) tell(null, "too_many_letters", { count: letters, most: LETTERS_MAX });
}

function checkPlaces(plan: SeatsPlan, warn: Tell): void {
  const { room, bankKeys, grid } = sceneOf(plan);
  const told = new Set<string>();
  for (let unit = 0; unit < room.seats && told.size < 10; unit += 1) {
    const [x, y] = [room.x[unit] ?? 0, room.y[unit] ?? 0];
    const near = grid.nearest(x, y, APART_LEAST, (other) => other > unit && other < room.seats);
    if (near < 0) continue;
    const keys = [room.bank[unit] ?? -1, room.bank[near] ?? -1];
    // Two sections on each other are one thing to look at, however many rows they have.
    const sections = keys.map((bank) => room.banks[bank]?.section ?? -1).join();
    if (told.has(sections)) continue;
    told.add(sections);
    const values = { unit: room.units[unit] ?? "", other: room.units[near] ?? "" };
    warn(bankKeys[keys[1] ?? -1] ?? null, "on_each_other", values);
  }
}

function checkOutlines(plan: SeatsPlan, warn: Tell): void {
  (plan.pools ?? []).forEach((pool, at) => {
    const outline = pool.outline ?? [];
    const values = { name: pool.unit };
    if (outline.length > 0 && outline.length < 3) warn(poolKey(at), "few_points", values);
    else if (crosses(outline)) warn(poolKey(at), "crossing", values);
  });
  if (plan.focus && !plan.sections?.length) warn(FOCUS, "focus_alone");
}

type Spot = readonly [number, number];

export function crosses(outline: readonly Spot[]): boolean {
  const edges = outline.map((from, at): [Spot, Spot] => [
    from,
    outline[(at + 1) % outline.length] ?? from,
  ]);
  if (edges.length > 200) return false; // looked at by eye then: the check grows with the square
  return edges.some(([a, b], one) =>
    edges.some(([c, d], other) => {
      const isNext = other <= one + 1 || (one === 0 && other === edges.length - 1);
      return !isNext && side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
    }),
  );
}

const side = (a: Spot, b: Spot, c: Spot): number =>
  (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
