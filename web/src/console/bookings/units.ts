// The units of a booking as short text.
import type { Line } from "~/api/schema";
import { comma, number } from "~/i18n/format";

type Part = Pick<Line, "unit" | "quantity" | "from" | "to"> & {
  /** Rooms in which a stay is later, each from its day on. */
  readonly later?: readonly { readonly unit: string; readonly from: string }[];
};

const SHOWN = 6;

/** One line: "F7", "3 × floor", "2026-12-01 – 2026-12-04", "101 · … · 2026-12-03 → 102". */
export function unitInWords(line: Part): string {
  const range = line.from === undefined ? null : [line.from, line.to].filter(Boolean).join(" – ");
  const later = (line.later ?? []).map(({ unit, from }) => `${from} → ${unit}`);
  const unit = [line.unit, range, ...later].filter(Boolean).join(" · ");
  const quantity = line.quantity ?? 1;
  if (quantity === 1) return unit === "" ? number(quantity) : unit;
  return unit === "" ? number(quantity) : `${number(quantity)} × ${unit}`;
}

export function unitsInWords(lines: readonly Part[]): string {
  const shown = lines.slice(0, SHOWN).map(unitInWords).join(comma());
  return lines.length > SHOWN ? `${shown} + ${number(lines.length - SHOWN)}` : shown;
}
