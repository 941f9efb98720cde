// Any stay of some nights in a month, instead of exact dates: a weekend in May, a week in July.
import { dateTime } from "~/i18n/format";
import { addMonths, isMonth, lastDayOf, monthOf } from "../calendar/month";
import { addDays, noonOf } from "../days";
import type { Wishes } from "./filters";
import { NO_RANGE } from "./range";

/** A month "" is none: dates are exact then, or not said. `arrive` are days of the week, or "" for any. */
export type AnyStay = Pick<Wishes, "month" | "nights" | "arrive">;
export type LengthName = "weekend" | "long_weekend" | "week" | "two_weeks";

export const LENGTHS: Readonly<Record<LengthName, Omit<AnyStay, "month">>> = {
  weekend: { nights: 2, arrive: "fri" },
  long_weekend: { nights: 3, arrive: "thu,fri" },
  week: { nights: 7, arrive: "" },
  two_weeks: { nights: 14, arrive: "" },
};
export const LENGTH_NAMES = Object.keys(LENGTHS) as readonly LengthName[];
export const NO_ANY_STAY: AnyStay = { month: "", nights: 0, arrive: "" };
const MONTHS = 12;

/** The months that one can choose from, this one first. */
export function monthsFrom(today: string): string[] {
  return Array.from({ length: MONTHS }, (_, index) => addMonths(monthOf(today), index));
}

/** The name of its length, where it has one. */
export function lengthOf({ nights, arrive }: AnyStay): LengthName | undefined {
  return LENGTH_NAMES.find(
    (name) => LENGTHS[name].nights === nights && LENGTHS[name].arrive === arrive,
  );
}

export function monthText(month: string): string {
  return dateTime(noonOf(`${month}-01`), { month: "long", year: "numeric" }, "UTC");
}

/** As the search is asked for it: stays that begin in that month. */
export function windowOf({ month, nights, arrive }: AnyStay) {
  const to = addDays(lastDayOf(month), nights);
  return { from: `${month}-01`, to, nights, ...(arrive !== "" && { arrive }) };
}

/** The wishes without dates that are over by now. */
export function inTime(wishes: Wishes, today: string): Wishes {
  const isOver = wishes.start !== "" && wishes.start < today;
  const isMonthOver = isMonth(wishes.month) && wishes.month < monthOf(today);
  if (isMonthOver) return { ...wishes, ...NO_ANY_STAY };
  return isOver ? { ...wishes, ...NO_RANGE } : wishes;
}
