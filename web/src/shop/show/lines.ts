// Selections of the map as lines of a hold, and offers of a refusal as selections.
import { isRecord } from "~/api/client";
import type { Line } from "~/api/schema";

export type ChosenUnit = {
  unit: string;
  section: string;
  row: string;
  seat: string;
  category: string;
  price: number;
};
export type ChosenPool = { unit: string; quantity: number; price: number };
export type Selection = { units: readonly ChosenUnit[]; pools: readonly ChosenPool[] };

export type BestRequest = {
  quantity: number;
  category: string | null;
  accessible: boolean;
  together: boolean;
};

export const NOTHING: Selection = { units: [], pools: [] };

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const real = (value: unknown): number => (typeof value === "number" ? value : 0);

export function selectionOf(detail: unknown): Selection {
  if (!isRecord(detail)) return NOTHING;
  const units = records(detail["units"]).map((one) => ({
    unit: text(one["unit"]),
    section: text(one["section"]),
    row: text(one["row"]),
    seat: text(one["seat"]),
    category: text(one["category"]),
    price: real(one["price"]),
  }));
  const pools = records(detail["pools"])
    .map((one) => ({
      unit: text(one["unit"]),
      quantity: real(one["quantity"]),
      price: real(one["price"]),
    }))
    .filter((one) => one.quantity > 0);
  return { units: units.filter((one) => one.unit !== ""), pools };
}

function records(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function countOf(selection: Selection): number {
  return selection.units.length + selection.pools.reduce((sum, pool) => sum + pool.quantity, 0);
}

/** The lines of a selection, with the promo code if there is one. */
export function linesOf(resourceId: string, selection: Selection, code: string): Line[] {
  const coded = code === "" ? {} : { code };
  return [
    ...selection.units.map(({ unit }) => ({
      resource_id: resourceId,
      unit,
      quantity: null,
      ...coded,
    })),
    ...selection.pools.map(({ unit, quantity }) => ({
      resource_id: resourceId,
      unit,
      quantity,
      ...coded,
    })),
  ];
}

export function bestLine(resourceId: string, wish: BestRequest, code: string): Line {
  return {
    resource_id: resourceId,
    unit: null,
    quantity: null,
    best: {
      quantity: wish.quantity,
      strategy: "best",
      accessible: wish.accessible,
      split: !wish.together,
      category: wish.category,
    },
    ...(code !== "" && { code }),
  };
}

/** An offer of a refusal: the resulting units, and the new ones among them. */
export type OfferedChoice = { units: string[]; instead: string[] };

/** The offers of a refusal. Those without units (full areas) are left out. */
export function offeredChoices(
  data: Readonly<Record<string, unknown>>,
  lines: readonly Pick<Line, "unit">[],
): OfferedChoice[] {
  const choices: OfferedChoice[] = [];
  for (const one of records(data["alternatives"])) {
    const places = new Set(Array.isArray(one["instead_of"]) ? one["instead_of"] : []);
    const kept = lines.flatMap((line, place) =>
      places.has(place) || !line.unit ? [] : [line.unit],
    );
    for (const offer of Array.isArray(one["offers"]) ? one["offers"] : []) {
      const instead = records(offer).map((line) => text(line["unit"]));
      if (instead.length === 0 || instead.includes("")) continue;
      choices.push({ units: [...kept, ...instead], instead });
    }
  }
  return choices;
}

export function conflictUnits(data: Readonly<Record<string, unknown>>): string[] {
  const found = records(data["conflicts"]).map((one) => text(one["unit"]));
  return found.filter((unit) => unit !== "");
}

export function orphanUnits(data: Readonly<Record<string, unknown>>): string[] {
  return records(data["units"])
    .map((one) => text(one["unit"]))
    .filter((unit) => unit !== "");
}
