// A time that is taken out of sale: of a provider, or of all of the team.
import type { BlockLine } from "~/api/schema";
import { dayAfter, isDay } from "../reports/days";
import { clockMinutes } from "./hours";

export type BlockDraft = {
  /** Empty: everybody. */
  readonly provider: string;
  readonly date: string;
  readonly from: string;
  readonly to: string;
  readonly reason: string;
};

/** The line, by the clocks of the team; null while something is missing. One that ends at midnight, or
 * before it begins, ends on the next day: from midnight to midnight is all of a day. */
export function blockLine({ provider, date, from, to }: BlockDraft): BlockLine | null {
  const [begin, end] = [clockMinutes(from), clockMinutes(to)];
  if (!isDay(date) || begin === null || end === null || (begin === end && end !== 0)) return null;
  const last = end > begin ? date : dayAfter(date, 1);
  return {
    unit: provider === "" ? null : provider,
    from: `${date}T${from}`,
    to: `${last}T${to}`,
  };
}
