// A month of events: on wide pages a grid of days with the events of the chosen one below it, on
// phones an agenda of the whole month.
import { useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Performance } from "~/api/schema";
import { Button, EmptyState, ErrorNote, Icon, Skeleton } from "~/design";
import { dateTime } from "~/i18n/format";
import { dateIn, noonOf } from "../days";
import { useCalendar } from "./catalog";
import type { Filters } from "./filters";
import { groupedBy } from "./groups";
import { LeftBadge } from "./LeftBadge";
import { isForSale, leftOf } from "./left";
import { addMonths, lastDayOf, monthOf } from "../calendar/month";
import { MonthGrid } from "./MonthGrid";
import { priceWords } from "./price";

type CalendarProps = {
  filters: Filters;
  today: string;
  now: number;
  onChange: (part: Partial<Filters>) => void;
};

const NARROW = "(max-width: 52rem)";

function useIsNarrow(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const query = globalThis.matchMedia(NARROW);
      query.addEventListener("change", changed);
      return () => query.removeEventListener("change", changed);
    },
    () => globalThis.matchMedia(NARROW).matches,
  );
}

export function byDay(dates: readonly Performance[]): Map<string, Performance[]> {
  return groupedBy(dates, (date) => dateIn(date.time_zone, new Date(date.starts_at)));
}

export function CalendarView({ filters, today, now, onChange }: CalendarProps) {
  const { t } = useTranslation("shop_events");
  const isNarrow = useIsNarrow();
  const current = monthOf(today);
  const month = filters.month > current ? filters.month : current;
  const from = month === current ? today : `${month}-01`;
  const found = useCalendar(filters, { from, to: lastDayOf(month) }, true);
  const coming = found.data?.filter((date) => Date.parse(date.starts_at) > now);
  const days = byDay(coming ?? []);
  const [wanted, choose] = useState("");
  const chosen = monthOf(wanted) === month ? wanted : ([...days.keys()].sort()[0] ?? from);
  const go = (next: string) => onChange({ month: next === current ? "" : next });
  return (
    <section className="events-calendar" aria-label={t("views.calendar")}>
      <div className="events-months">
        <h2 aria-live="polite">
          {dateTime(noonOf(`${month}-01`), { month: "long", year: "numeric" }, "UTC")}
        </h2>
        <Button
          kind="quiet"
          aria-label={t("month_before")}
          disabled={month <= current}
          onClick={() => go(addMonths(month, -1))}
        >
          <Icon name="back" flip />
        </Button>
        <Button kind="quiet" aria-label={t("month_after")} onClick={() => go(addMonths(month, 1))}>
          <Icon name="forward" flip />
        </Button>
      </div>
      {found.isError && <ErrorNote error={found.error} onRetry={() => void found.refetch()} />}
      {coming === undefined && !found.isError && <Skeleton height="24rem" />}
      {coming !== undefined && !isNarrow && (
        <MonthGrid
          month={month}
          today={today}
          chosen={chosen}
          days={days}
          onChoose={(day) => {
            if (monthOf(day) < current) return;
            choose(day);
            if (monthOf(day) !== month) go(monthOf(day));
          }}
        />
      )}
      {coming !== undefined && coming.length === 0 && (isNarrow || days.size === 0) && (
        <EmptyState title={t("none_month")}>
          <p>{t("none_month_text")}</p>
        </EmptyState>
      )}
      {coming !== undefined &&
        (isNarrow ? (
          [...days].map(([day, dates]) => <Day key={day} day={day} dates={dates} />)
        ) : days.size > 0 ? (
          <Day day={chosen} dates={days.get(chosen) ?? []} />
        ) : null)}
    </section>
  );
}

/** The events of one day, by time. */
function Day({ day, dates }: { day: string; dates: readonly Performance[] }) {
  const { t } = useTranslation("shop_events");
  return (
    <section className="events-day" aria-labelledby={`day-${day}`}>
      <h3 id={`day-${day}`}>{dateTime(noonOf(day), { dateStyle: "full" }, "UTC")}</h3>
      {dates.length === 0 && <p className="shop-quiet">{t("none_day")}</p>}
      <ul role="list">
        {dates.map((date) => (
          <li key={date.id}>
            <Entry date={date} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Entry({ date }: { date: Performance }) {
  const { t } = useTranslation("shop_events");
  const left = leftOf(date);
  return (
    <Link href={`/events/${date.production.id}`} className="events-entry">
      <span className="events-entry-time tabular">
        {dateTime(date.starts_at, { hour: "numeric", minute: "2-digit" }, date.time_zone)}
      </span>
      <span className="events-entry-words">
        <strong>
          <bdi>{date.production.title}</bdi>
        </strong>
        <span className="shop-quiet">
          {t(`kinds.${date.production.kind}`)} · <bdi>{date.venue.name}</bdi>
        </span>
      </span>
      <span className="events-entry-end">
        {isForSale(left) && <span>{priceWords(t, date.price_from, date.currency, true)}</span>}
        <LeftBadge left={left} free={date.units_free} />
      </span>
    </Link>
  );
}
