// The units of a booking as short text.
import type { Line } from "~/api/schema";
import { comma, number } from "~/i18n/format";
import { isDate } from "~/shop/days";
import { daysText } from "~/shop/nights";
import { timesAsWritten } from "~/shop/rangeWords";

type Part = Pick<Line, "unit" | "quantity" | "from" | "to" | "rate"> & {
  /** Rooms in which a stay is later, each from its day on. */
  readonly later?: readonly { readonly unit: string; readonly from: string }[];
};

const SHOWN = 6;
const PIECE = /^(.*)@\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?Z$/;
const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;

/** One line: "F7", "3 × floor", "Tue 1 Dec – Fri 4 Dec", "101 · … · 2026-12-03 → 102", "Dr Rao · Check-up · Tue 1 Dec,
 *  09:00 – 09:30". */
export function unitInWords(line: Part): string {
  const range = rangeInWords(line);
  const later = (line.later ?? []).map(({ unit, from }) => `${from} → ${unit}`);
  // What somebody comes for says more than at which rate somebody stays.
  const service = isTime(line.from) ? line.rate : null;
  const unit = [line.unit, service, range, ...later].filter(Boolean).join(" · ");
  const quantity = line.quantity ?? 1;
  if (quantity === 1) return unit === "" ? number(quantity) : unit;
  return unit === "" ? number(quantity) : `${number(quantity)} × ${unit}`;
}

/** From a day to a day, or from a stop or a time to another; null where it is no range. */
function rangeInWords({ from, to }: Part): string | null {
  if (from === undefined) return null;
  if (isDate(from) && typeof to === "string" && isDate(to)) return daysText(from, to);
  if (isTime(from)) return timesAsWritten(from, to ?? "");
  return [from, to].filter(Boolean).join(" – ");
}

/** What a line is of, where people call it neither place nor seat: a time of a service, or nights. */
export function soldAs({ from, to, rate }: Partial<Part>): "appointment" | "stay" | undefined {
  if (Boolean(rate) && isTime(from)) return "appointment";
  return isDate(from ?? "") && isDate(to ?? "") ? "stay" : undefined;
}

function isTime(text: string | undefined): boolean {
  return text !== undefined && TIME.test(text);
}

/** What of an event's units people read: a time is taken in pieces of some minutes each, and only who gives it is told. */
export function takenInWords(lines: readonly Part[]): string {
  const named = new Map(lines.map((line) => [PIECE.exec(line.unit ?? "")?.[1] ?? "", line]));
  named.delete("");
  const others = lines.filter(({ unit }) => !PIECE.test(unit ?? ""));
  return unitsInWords([
    ...[...named].map(([unit, { quantity }]) => ({ unit, quantity: quantity ?? null })),
    ...others,
  ]);
}

export function unitsInWords(lines: readonly Part[]): string {
  const shown = lines.slice(0, SHOWN).map(unitInWords).join(comma());
  return lines.length > SHOWN ? `${shown} + ${number(lines.length - SHOWN)}` : shown;
}
