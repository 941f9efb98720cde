// Names that are not taken yet: of sections, prefixes, tables and areas. A command that adds something
// must never make two units of one name.
import type { SeatsPlan, Section } from "~/seatmap/plan";
import { nextName, rowName } from "./rows";

const NAME_MAX = 40;

/** The names of everything that starts a unit's name: prefix and row, prefix and table, pool. */
function startsOf(plan: SeatsPlan, except = -1): Set<string> {
  const starts = new Set<string>();
  (plan.sections ?? []).forEach((section, at) => {
    if (at !== except) for (const start of ownStarts(section)) starts.add(start);
  });
  for (const pool of plan.pools ?? []) starts.add(pool.unit);
  return starts;
}

function ownStarts(section: Section): string[] {
  const prefix = section.prefix ?? "";
  const rows = (section.rows ?? []).map((row) => prefix + row.name);
  return [...rows, ...(section.tables ?? []).map((table) => prefix + table.name)];
}

/** A name like this one that nothing has: itself, or with the next number. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  let tried = name.slice(0, NAME_MAX - 6);
  while (isTaken(tried)) tried = /\d$/u.test(tried) ? nextName(tried) : `${tried} 2`;
  return tried;
}

export function freeSectionName(plan: SeatsPlan, name: string): string {
  const names = new Set((plan.sections ?? []).map((section) => section.name));
  return freeName(name, (tried) => names.has(tried));
}

export function freePoolName(plan: SeatsPlan, name: string): string {
  const names = startsOf(plan);
  return freeName(name, (tried) => names.has(tried));
}

/** A prefix under which no unit of the section has the name of another: none, if none is needed. */
export function freePrefix(plan: SeatsPlan, section: Section, except = -1): string {
  const starts = [...startsOf(plan, except)];
  // A1 of row "A" and row "A1" would meet in A11: what goes on alike is taken to meet.
  const meets = (prefix: string) =>
    ownStarts({ ...section, prefix }).some((own) => starts.some((other) => mayMeet(own, other)));
  const own = section.prefix ?? "";
  if (!meets(own)) return own;
  for (let number = (plan.sections ?? []).length + (except < 0 ? 1 : 0); ; number += 1) {
    const tried = `${number}-`;
    if (!meets(tried)) return tried;
  }
}

/** Whether two starts may make the same unit: one goes on as a seat's number would. */
function mayMeet(one: string, other: string): boolean {
  if (one === other) return true;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return long.startsWith(short) && /^[\d-]/u.test(long.slice(short.length));
}

/** The name of the next table of a section: T1, T2 and so on. */
export function freeTableName(section: Section, after = "T0"): string {
  const names = new Set([
    ...(section.tables ?? []).map((table) => table.name),
    ...(section.rows ?? []).map((row) => row.name),
  ]);
  let tried = nextName(after);
  while (names.has(tried)) tried = nextName(tried);
  return tried;
}

/** The name of the row behind these; one that goes on as a seat's number would is passed over. */
export function nextRowName(section: Section): string {
  const names = ownStarts({ ...section, prefix: "" });
  const isFree = (tried: string) => !names.some((name) => mayMeet(name, tried));
  const next = section.rows?.length ? nextName(section.rows.at(-1)?.name ?? "") : "A";
  if (isFree(next)) return next;
  for (let number = 0; ; number += 1) if (isFree(rowName(number))) return rowName(number);
}
