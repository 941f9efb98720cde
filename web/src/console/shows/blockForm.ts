// The fields of a block form by the plan's shape, and the resulting line.
import type { BlockLine, Resource } from "~/api/schema";

type Plan = Resource["plan"];

export type BlockFields = {
  /** The units to choose from; null for free text. */
  readonly units: readonly string[] | null;
  readonly needsUnit: boolean;
  readonly range: "date" | "datetime-local" | null;
  readonly hasQuantity: boolean;
};

/** Not for seats, which are chosen on the map. */
export function blockFields(plan: Plan): BlockFields {
  const fields = { units: null, needsUnit: true, range: null, hasQuantity: false } as const;
  switch (plan.type) {
    case "pools":
      return { ...fields, units: plan.pools.map((pool) => pool.unit), hasQuantity: true };
    case "nights":
      return {
        ...fields,
        units: plan.rooms ?? null,
        needsUnit: false,
        range: "date",
        hasQuantity: !plan.rooms,
      };
    case "times":
      return {
        ...fields,
        units: (plan.providers ?? []).map((provider) => provider.name),
        needsUnit: false,
        range: "datetime-local",
      };
    case "moments":
      return { ...fields, units: plan.things ?? [], needsUnit: false, range: "datetime-local" };
    default:
      return fields;
  }
}

export type Filled = {
  readonly unit: string;
  readonly from: string;
  readonly to: string;
  readonly quantity: string;
};

/** The line, or null while something is missing. */
export function blockLine(fields: BlockFields, filled: Filled): BlockLine | null {
  const unit = filled.unit.trim();
  if (fields.needsUnit && unit === "") return null;
  const quantity = fields.hasQuantity && filled.quantity !== "" ? Number(filled.quantity) : null;
  if (quantity !== null && !(Number.isInteger(quantity) && quantity > 0)) return null;
  if (fields.hasQuantity && fields.needsUnit && quantity === null) return null;
  const line = { unit: unit === "" ? null : unit, quantity };
  if (fields.range === null) return line;
  if (filled.from === "" || filled.to === "" || filled.from >= filled.to) return null;
  return { ...line, from: filled.from, to: filled.to };
}
