// The days of a month as a table of buttons: arrow keys move from day to day, Page Up and Page Down from month to
// month, and only the chosen day is in the tab order.
import { useEffect, useRef, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import type { Performance } from "~/api/schema";
import { dateTime } from "~/i18n/format";
import { regional } from "~/i18n/region";
import { addDays, noonOf } from "../days";
import { dayAfterKey, weekIn, weeksOf } from "../calendar/month";

type GridProps = {
  month: string;
  today: string;
  chosen: string;
  days: ReadonlyMap<string, readonly Performance[]>;
  onChoose: (day: string) => void;
};

const SHOWN_MAX = 2;

export function MonthGrid({ month, today, chosen, days, onChoose }: GridProps) {
  const { t, i18n } = useTranslation("shop_events");
  const grid = useRef<HTMLTableElement>(null);
  const isMoving = useRef(false);
  const { firstDay } = weekIn(regional(i18n.language));
  const weeks = weeksOf(month, firstDay).filter((week) =>
    week.some((day) => day !== null && day >= today),
  );
  const names = Array.from({ length: 7 }, (_, index) =>
    // 1 January 2024 was a Monday.
    noonOf(addDays("2024-01-01", firstDay - 1 + index)),
  );
  useEffect(() => {
    if (!isMoving.current) return;
    isMoving.current = false;
    grid.current?.querySelector<HTMLElement>("[tabindex='0']")?.focus();
  });
  const press = (event: KeyboardEvent) => {
    const rtl = document.documentElement.dir === "rtl";
    const next = dayAfterKey(event.key, chosen, rtl);
    if (next === undefined) return;
    event.preventDefault();
    if (next < today) return;
    isMoving.current = true;
    onChoose(next);
  };
  return (
    <table ref={grid} className="events-month" aria-label={t("calendar_help")}>
      <thead>
        <tr>
          {names.map((day) => (
            <th key={day.getTime()} scope="col">
              <span aria-hidden="true">{dateTime(day, { weekday: "short" }, "UTC")}</span>
              <span className="visually-hidden">{dateTime(day, { weekday: "long" }, "UTC")}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week, number) => (
          <tr key={number}>
            {week.map((day, place) =>
              day === null ? (
                <td key={`none-${place}`} className="events-cell-none" aria-hidden="true" />
              ) : (
                <td key={day}>
                  <button
                    type="button"
                    className="events-cell"
                    aria-pressed={day === chosen}
                    tabIndex={day === chosen ? 0 : -1}
                    onKeyDown={press}
                    aria-disabled={day < today || undefined}
                    aria-current={day === today ? "date" : undefined}
                    onClick={() => day >= today && onChoose(day)}
                  >
                    <Cell day={day} dates={days.get(day) ?? []} />
                  </button>
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cell({ day, dates }: { day: string; dates: readonly Performance[] }) {
  const { t } = useTranslation("shop_events");
  const others = dates.length - SHOWN_MAX;
  return (
    <>
      <span className="visually-hidden">{dateTime(noonOf(day), { dateStyle: "full" }, "UTC")}</span>
      <span className="events-cell-number tabular" aria-hidden="true">
        {dateTime(noonOf(day), { day: "numeric" }, "UTC")}
      </span>
      {dates.slice(0, SHOWN_MAX).map((date) => (
        <span key={date.id} className="events-cell-entry">
          <span className="tabular">
            {dateTime(date.starts_at, { hour: "numeric", minute: "2-digit" }, date.time_zone)}
          </span>{" "}
          <bdi>{date.production.title}</bdi>
        </span>
      ))}
      {others > 0 && (
        <span className="events-cell-more">{t("more_that_day", { count: others })}</span>
      )}
    </>
  );
}
