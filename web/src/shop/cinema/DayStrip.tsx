// Today and the next six days, in the city's time zone.
import { useTranslation } from "react-i18next";
import { dateTime } from "~/i18n/format";
import { noonOf } from "../days";

type DayStripProps = {
  days: readonly string[];
  chosen: string;
  /** Days with shows; undefined while not known. */
  available: ReadonlySet<string> | undefined;
  onChoose: (day: string) => void;
};

export function DayStrip({ days, chosen, available, onChoose }: DayStripProps) {
  const { t } = useTranslation("cinema");
  const shown = days.includes(chosen) ? days : [...days, chosen].sort();
  return (
    <div className="cinema-days" role="group" aria-label={t("days")}>
      {shown.map((day) => (
        <button
          key={day}
          type="button"
          className="cinema-day"
          aria-pressed={day === chosen}
          data-empty={(available !== undefined && !available.has(day)) || undefined}
          onClick={() => onChoose(day)}
        >
          <span className="cinema-day-name">
            {day === days[0] ? t("today") : dateTime(noonOf(day), { weekday: "short" }, "UTC")}
          </span>
          <span className="cinema-day-number tabular">
            {dateTime(noonOf(day), { day: "numeric" }, "UTC")}
          </span>
          <span className="cinema-day-month">
            {dateTime(noonOf(day), { month: "short" }, "UTC")}
          </span>
        </button>
      ))}
    </div>
  );
}
