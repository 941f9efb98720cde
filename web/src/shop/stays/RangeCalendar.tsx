// Two months in which one chooses an arrival and a departure. Arrow keys move from day to day, Page Up and Page Down
// from month to month, and one day is in the tab order. What a day is good for is told with it.
import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button, Icon } from "~/design";
import { comma, dateTime } from "~/i18n/format";
import { regional } from "~/i18n/region";
import { addMonths, dayAfterKey, monthOf, weekIn, weeksOf } from "../calendar/month";
import { addDays, noonOf } from "../days";
import type { Range } from "./range";

/** What is said of a day: whether it can be chosen now, its price, and why not. */
export type DayFacts = {
  isOpen: boolean;
  price?: { short: string; long: string };
  note?: string;
  isTaken?: boolean;
};

type CalendarProps = {
  label: string;
  today: string;
  /** The last day that can be shown. */
  last: string;
  month: string;
  range: Range;
  factsOf: (day: string) => DayFacts;
  onMonth: (month: string) => void;
  onDay: (day: string) => void;
};

const SHOWN = 2;

export function RangeCalendar(props: CalendarProps) {
  const { t } = useTranslation("shop_stays");
  const { today, last, month, range, onMonth } = props;
  const [wanted, setWanted] = useState("");
  const grid = useRef<HTMLDivElement>(null);
  const isMoving = useRef(false);
  const months = Array.from({ length: SHOWN }, (_, index) => addMonths(month, index));
  const isShown = (day: string) => months.includes(monthOf(day)) && day >= today;
  const first = month === monthOf(today) ? today : `${month}-01`;
  const active = [wanted, range.start].find((day) => day !== "" && isShown(day)) ?? first;
  useEffect(() => {
    if (!isMoving.current) return;
    isMoving.current = false;
    grid.current?.querySelector<HTMLElement>("[tabindex='0']")?.focus();
  });
  const press = (event: KeyboardEvent) => {
    const next = dayAfterKey(event.key, active, document.documentElement.dir === "rtl");
    if (next === undefined) return;
    event.preventDefault();
    if (next < today || next > last) return;
    isMoving.current = true;
    setWanted(next);
    if (!months.includes(monthOf(next))) onMonth(monthOf(next));
  };
  return (
    <div ref={grid} className="stay-calendar" role="group" aria-label={props.label}>
      <div className="stay-calendar-steps">
        <Button
          kind="quiet"
          size="small"
          aria-label={t("month_before")}
          disabled={month <= monthOf(today)}
          onClick={() => onMonth(addMonths(month, -1))}
        >
          <Icon name="back" flip />
        </Button>
        <Button
          kind="quiet"
          size="small"
          aria-label={t("month_after")}
          disabled={addMonths(month, 1) > monthOf(last)}
          onClick={() => onMonth(addMonths(month, 1))}
        >
          <Icon name="forward" flip />
        </Button>
      </div>
      <div className="stay-months">
        {months.map((one) => (
          <Month key={one} {...props} month={one} active={active} onKey={press} />
        ))}
      </div>
    </div>
  );
}

type MonthProps = CalendarProps & { active: string; onKey: (event: KeyboardEvent) => void };

function Month({ month, ...props }: MonthProps) {
  const { i18n } = useTranslation("shop_stays");
  const { firstDay } = weekIn(regional(i18n.language));
  const title = dateTime(noonOf(`${month}-01`), { month: "long", year: "numeric" }, "UTC");
  const names = Array.from({ length: 7 }, (_, index) =>
    // 1 January 2024 was a Monday.
    noonOf(addDays("2024-01-01", firstDay - 1 + index)),
  );
  return (
    <table className="stay-month">
      <caption>{title}</caption>
      <thead>
        <tr>
          {names.map((day) => (
            <th key={day.getTime()} scope="col">
              <span aria-hidden="true">{dateTime(day, { weekday: "narrow" }, "UTC")}</span>
              <span className="visually-hidden">{dateTime(day, { weekday: "long" }, "UTC")}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(month, firstDay).map((week, number) => (
          <tr key={number}>
            {week.map((day, place) =>
              day === null ? (
                <td key={`none-${place}`} aria-hidden="true" />
              ) : (
                <td key={day} data-range={placeIn(props.range, day)}>
                  <Day {...props} day={day} />
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function placeIn({ start, end }: Range, day: string): string | undefined {
  if (day === start) return end === "" ? "only" : "start";
  if (day === end) return "end";
  return start !== "" && end !== "" && start < day && day < end ? "in" : undefined;
}

type DayProps = Omit<MonthProps, "month"> & { day: string };

function Day({ day, today, last, range, active, factsOf, onDay, onKey }: DayProps) {
  const { t } = useTranslation("shop_stays");
  const isOver = day < today || day > last;
  const { isOpen, price, note, isTaken } = isOver ? { isOpen: false } : factsOf(day);
  const chosen = day === range.start ? "arrival" : day === range.end ? "departure" : null;
  const said = [
    dateTime(noonOf(day), { dateStyle: "full" }, "UTC"),
    chosen !== null && t(`chosen.${chosen}`),
    price?.long,
    note,
  ];
  return (
    <button
      type="button"
      className="stay-day"
      aria-pressed={chosen !== null}
      aria-disabled={!isOpen || undefined}
      aria-current={day === today ? "date" : undefined}
      data-taken={isTaken || undefined}
      tabIndex={day === active ? 0 : -1}
      title={note}
      onKeyDown={onKey}
      onClick={() => isOpen && onDay(day)}
    >
      <span className="visually-hidden">{said.filter(Boolean).join(comma())}</span>
      <span className="tabular" aria-hidden="true">
        {dateTime(noonOf(day), { day: "numeric" }, "UTC")}
      </span>
      {price !== undefined && (
        <small className="tabular" aria-hidden="true">
          {price.short}
        </small>
      )}
    </button>
  );
}
