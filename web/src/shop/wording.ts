// Seats are taken and stays are booked: which words fit what is sold. In the files of words a text for stays has the
// name of the usual one with "_stay" behind it; where there is none, the usual one is said.
import { isDate } from "./days";

export type Wording = "stay" | "usual";
type Dated = { readonly from?: string | null; readonly to?: string | null };

/** The words for these lines: of nights, which are from a day to a day, those of a stay. */
export function wordingOf(lines: readonly Dated[]): Wording {
  const isStay = lines.length > 0 && lines.every(({ from }) => isDate(from ?? ""));
  return isStay ? "stay" : "usual";
}

/** What a text is asked for with. */
export type WordingOptions = { context?: "stay" };

export function inWords(wording: Wording): WordingOptions {
  return wording === "stay" ? { context: "stay" } : {};
}
