// Seats are taken, stays are booked, and an appointment is made: which words fit what is sold. In the files of words a
// text for stays has the name of the usual one with "_stay" behind it, one for appointments "_appointment"; where
// there is none, the usual one is said.
import { isDate } from "./days";

export type Wording = "stay" | "appointment" | "usual";
type Dated = {
  readonly from?: string | null;
  readonly to?: string | null;
  readonly rate?: string | null;
};

/** The words for these lines: of nights, which are from a day to a day, those of a stay; of times of a service those
 *  of an appointment. */
export function wordingOf(lines: readonly Dated[]): Wording {
  if (lines.length === 0) return "usual";
  if (lines.every(({ from }) => isDate(from ?? ""))) return "stay";
  const isTime = ({ from, rate }: Dated) => Boolean(rate) && /^\d{4}-\d\d-\d\dT/.test(from ?? "");
  return lines.every(isTime) ? "appointment" : "usual";
}

/** What a text is asked for with. */
export type WordingOptions = { context?: Exclude<Wording, "usual"> };

export function inWords(wording: Wording): WordingOptions {
  return wording === "usual" ? {} : { context: wording };
}
