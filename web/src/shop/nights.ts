// Stays in words: from the day of arrival until that of departure, and how many nights.
import type { TFunction } from "i18next";
import { dateTime } from "~/i18n/format";
import { noonOf } from "./days";

const DAY = { weekday: "short", day: "numeric", month: "short" } as const;
const DAY_MS = 86_400_000;

/** Both days of a stay: Wed 3 Dec – Sat 6 Dec. */
export function daysText(from: string, to: string): string {
  return `${dateTime(noonOf(from), DAY, "UTC")} – ${dateTime(noonOf(to), DAY, "UTC")}`;
}

/** Both days of a stay and its nights. */
export function nightsText(t: TFunction<"shop">, from: string, to: string): string {
  const count = Math.round((noonOf(to).getTime() - noonOf(from).getTime()) / DAY_MS);
  return t("seats.nights", { count, range: daysText(from, to) });
}
