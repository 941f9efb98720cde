// A fortnight of days: how many times each has, and why it has none. Arrow keys move from day to day, Page Up and
// Page Down from month to month, and only one day is in the tab order.
import type { TFunction } from "i18next";
import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import type { FreeDays, Team, TeamService } from "~/api/schema";
import { Button, Icon } from "~/design";
import { dateTime, number } from "~/i18n/format";
import { dayAfterKey } from "../calendar/month";
import { addDays, noonOf } from "../days";
import { dayState, fortnightOf, nothingUntil, SHOWN_DAYS } from "./openDays";
import { dayOf } from "./slots";

type T = TFunction<"shop_appointments">;
type DayProps = {
  team: Team;
  service: TeamService;
  provider: string;
  /** Undefined while nothing is known of them. */
  days: FreeDays | undefined;
  isBusy: boolean;
  today: string;
  chosen: string;
  /** The day of the appointment that is changed; "" is none. */
  ownDay: string;
  onChoose: (day: string) => void;
};

export function DayChoice(props: DayProps) {
  const { team, days, today, chosen, onChoose } = props;
  const { t } = useTranslation("shop_appointments");
  const first = fortnightOf(chosen, today);
  const last = addDays(today, team.horizon_days);
  const after = addDays(first, SHOWN_DAYS);
  const before = addDays(first, -SHOWN_DAYS);
  const next = days?.next_free ?? null;
  const nextDay = next === null ? "" : dayOf(next, team);
  const isNothing = days !== undefined && next === null;
  const until = isNothing ? nothingUntil(days, team, today) : null;
  const range = `${day(first)} – ${day(addDays(after, -1))}`;
  return (
    <>
      <div className="appt-fortnight">
        <Button
          kind="bare"
          size="small"
          aria-label={t("earlier")}
          aria-disabled={first <= today || undefined}
          onClick={() => first > today && onChoose(before)}
        >
          <Icon name="back" size={20} flip />
        </Button>
        <p aria-live="polite">{range}</p>
        <Button
          kind="bare"
          size="small"
          aria-label={t("later")}
          aria-disabled={after > last || undefined}
          onClick={() => after <= last && onChoose(after)}
        >
          <Icon name="forward" size={20} flip />
        </Button>
        {nextDay !== "" && nextDay !== chosen && (
          <Button kind="quiet" size="small" onClick={() => onChoose(nextDay)}>
            {t("next_free")}
          </Button>
        )}
      </div>
      <Fortnight {...props} first={first} last={last} />
      <p role="status">{isNothing && nothing(t, until, first, today)}</p>
      {until !== null && (
        <Button kind="quiet" size="small" onClick={() => onChoose(until)}>
          {t("look_on", { day: day(until) })}
        </Button>
      )}
    </>
  );
}

/** What is known to have nothing free: all that was looked at, or all from the first day that is shown on. */
function nothing(t: T, until: string | null, first: string, today: string): string {
  if (until !== null) return t("nothing_free_before", { day: day(until) });
  return first > today ? t("nothing_free_from", { day: day(first) }) : t("nothing_free");
}

function day(date: string): string {
  return dateTime(noonOf(date), { day: "numeric", month: "short" }, "UTC");
}

function Fortnight(props: DayProps & { first: string; last: string }) {
  const { team, service, provider, days, isBusy, today, chosen, ownDay, onChoose } = props;
  const { first, last } = props;
  const { t } = useTranslation("shop_appointments");
  const grid = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState("");
  const isMoving = useRef(false);
  const shown = Array.from({ length: SHOWN_DAYS }, (_, index) => addDays(first, index));
  const known = new Map((days?.items ?? []).map((one) => [one.date, one.free]));
  const stop = [focused, chosen].find((one) => shown.includes(one)) ?? first;
  useEffect(() => {
    if (!isMoving.current) return;
    isMoving.current = false;
    grid.current?.querySelector<HTMLElement>("[tabindex='0']")?.focus();
  });
  const press = (event: KeyboardEvent) => {
    const next = dayAfterKey(event.key, stop, document.documentElement.dir === "rtl");
    if (next === undefined) return;
    event.preventDefault();
    if (next < today || next > last) return;
    isMoving.current = true;
    setFocused(next);
    // Another fortnight is that of the day that is chosen.
    if (!shown.includes(next)) onChoose(next);
  };
  return (
    <div
      ref={grid}
      className="appt-days"
      role="group"
      aria-label={t("days_help")}
      data-busy={isBusy || undefined}
    >
      {shown.map((date) => {
        const free = known.get(date);
        const state =
          free === undefined ? null : dayState({ date, free }, team, service, provider, today);
        const canChoose = state === "free" || date === ownDay;
        const said = state === null ? "" : t(`day.${state}`, { count: free ?? 0 });
        return (
          <button
            key={date}
            type="button"
            className="appt-day"
            aria-pressed={date === chosen}
            aria-disabled={!canChoose || undefined}
            aria-current={date === today ? "date" : undefined}
            data-state={state ?? undefined}
            tabIndex={date === stop ? 0 : -1}
            onKeyDown={press}
            onClick={() => {
              setFocused(date);
              if (canChoose) onChoose(date);
            }}
          >
            <span className="visually-hidden">
              {dateTime(noonOf(date), { dateStyle: "full" }, "UTC")}
              {": "}
              {said}
            </span>
            <span aria-hidden="true" className="appt-day-name">
              {dateTime(noonOf(date), { weekday: "short" }, "UTC")}
            </span>
            <span aria-hidden="true" className="appt-day-number tabular">
              {dateTime(noonOf(date), { day: "numeric" }, "UTC")}
            </span>
            <span aria-hidden="true" className="appt-day-free">
              {state === "free" ? number(free ?? 0) : state === "full" ? t("day_full") : "–"}
            </span>
          </button>
        );
      })}
    </div>
  );
}
