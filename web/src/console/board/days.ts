// Days and nights as the board shows and chooses them.
import { dateTime } from "~/i18n/format";

/** Nights of a row, both ends included; of counted rooms, of any one. */
export type Chosen = {
  readonly listing: string;
  readonly room: string | null;
  readonly from: string;
  readonly to: string;
};

/** A day as it stands in the head of the table. */
export function shortDay(day: string): string {
  const at = new Date(`${day}T12:00:00Z`);
  return dateTime(at, { weekday: "short", day: "numeric", month: "numeric", timeZone: "UTC" });
}
