// Names of units for people: F9 and F10 of the stalls are "Stalls, row F: 9, 10".
import type { Resource } from "~/api/schema";
import { comma } from "~/i18n/format";
import { readPlan, type SeatsPlan } from "~/seatmap/plan";
import { seatRows } from "~/seatmap/seats";

type Named = { readonly unit?: string | null; readonly quantity?: number | null };

export type SeatGroup =
  | { kind: "row" | "table"; section: string; name: string; seats: string[]; units: string[] }
  | { kind: "area"; name: string; quantity: number; units: string[] }
  | { kind: "other"; name: string; quantity: number; units: string[] };

type Place = { kind: "row" | "table"; section: string; name: string; label: string; order: number };

const placesOf = new WeakMap<SeatsPlan, Map<string, Place>>();

function places(plan: SeatsPlan): Map<string, Place> {
  const kept = placesOf.get(plan);
  if (kept !== undefined) return kept;
  const found = new Map<string, Place>();
  let order = 0;
  for (const row of seatRows(plan)) {
    const section = plan.sections?.[row.section]?.name ?? "";
    for (const spot of row.spots) {
      const { kind, part } = row;
      found.set(spot.unit, { kind, section, name: part.name, label: spot.label, order: order++ });
    }
  }
  placesOf.set(plan, found);
  return found;
}

const plans = new WeakMap<object, SeatsPlan | null>();

/** Null if the resource has no seats. */
export function seatsPlan(resource: Pick<Resource, "plan"> | undefined): SeatsPlan | null {
  if (resource === undefined) return null;
  let plan = plans.get(resource.plan);
  if (plan === undefined) {
    plan = readPlan(resource.plan);
    plans.set(resource.plan, plan);
  }
  return plan;
}

/** Groups units by row, table and area, in the room's order. */
export function groupUnits(plan: SeatsPlan | null, lines: readonly Named[]): SeatGroup[] {
  const known = plan === null ? new Map<string, Place>() : places(plan);
  const pools = new Set((plan?.pools ?? []).map((pool) => pool.unit));
  const groups = new Map<string, SeatGroup>();
  const rest: SeatGroup[] = [];
  const seats: [string, Place][] = [];
  for (const { unit, quantity } of lines) {
    if (unit === null || unit === undefined) continue;
    const place = known.get(unit);
    const kind = pools.has(unit) ? ("area" as const) : ("other" as const);
    if (place !== undefined) seats.push([unit, place]);
    else rest.push({ kind, name: unit, quantity: quantity ?? 1, units: [unit] });
  }
  seats.sort(([, one], [, other]) => one.order - other.order);
  for (const [unit, { kind, section, name, label }] of seats) {
    const key = JSON.stringify([kind, section, name]);
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, { kind, section, name, seats: [label], units: [unit] });
    } else if (group.kind === "row" || group.kind === "table") {
      group.seats.push(label);
      group.units.push(unit);
    }
  }
  return [...groups.values(), ...rest];
}

/** Formats seat numbers: 9, 10, 11, 14 is "9–11, 14". */
export function seatNumbers(labels: readonly string[]): string {
  const parts: string[] = [];
  let first = "";
  let last = "";
  const close = () => {
    if (first === "") return;
    if (first === last) parts.push(first);
    else parts.push(Number(last) - Number(first) === 1 ? `${first}, ${last}` : `${first}–${last}`);
  };
  for (const label of labels) {
    const follows = /^\d+$/.test(label) && /^\d+$/.test(last) && Number(label) - Number(last) === 1;
    if (follows) {
      last = label;
    } else {
      close();
      first = last = label;
    }
  }
  close();
  return parts.join(comma());
}
