// Days of the week to tick; none of them means all.
import { dateTime } from "~/i18n/format";
import { WEEKDAYS, type Weekday } from "./clocks";

type Props = {
  legend: string;
  days: readonly Weekday[];
  onChange: (days: readonly Weekday[]) => void;
};

/** A Monday, to name the days by. */
const MONDAY = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;

export function WeekdayTicks({ legend, days, onChange }: Props) {
  return (
    <fieldset className="programme-days">
      <legend>{legend}</legend>
      {WEEKDAYS.map((day, index) => (
        <label key={day}>
          <input
            type="checkbox"
            checked={days.includes(day)}
            onChange={({ target }) =>
              onChange(
                WEEKDAYS.filter((one) => (one === day ? target.checked : days.includes(one))),
              )
            }
          />
          {dateTime(new Date(MONDAY + index * DAY_MS), { weekday: "long" }, "UTC")}
        </label>
      ))}
    </fieldset>
  );
}
