// How a time is written: with its day, in full where there is room; by the clock of the team, which is named where
// this device's shows another time, and with its offset where the clock shows it twice.
import { foreignZone, tellingTime } from "~/i18n/format";

export const WHEN = {
  weekday: "long",
  day: "numeric",
  month: "long",
  hour: "numeric",
  minute: "2-digit",
} as const;
export const SHORT_WHEN = { ...WHEN, weekday: "short", month: "short" } as const;

export function whenWords(
  at: string,
  options: Intl.DateTimeFormatOptions,
  { time_zone }: { readonly time_zone: string },
): string {
  const shown = tellingTime(at, options, time_zone);
  const zone = foreignZone(at, time_zone);
  return zone === null ? shown : `${shown} (${zone})`;
}
