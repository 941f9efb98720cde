// Opening hours by the day of the week, and the days on which they are others.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, Field, Icon } from "~/design";
import { dateTime } from "~/i18n/format";
import { WEEKDAYS, type Weekday } from "../programme/clocks";
import { isDay } from "../reports/days";
import { copied, nextSpan, type SpanDraft, SPANS_MAX, type WeekDraft } from "./hours";
import { NEW_SPECIAL, type SpecialDraft, withHoliday } from "./specialDays";

/** A Monday, to name the days by. */
const MONDAY = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;

const dayName = (at: number) =>
  dateTime(new Date(MONDAY + at * DAY_MS), { weekday: "long" }, "UTC");

type HoursProps = {
  week: WeekDraft;
  /** What the names of its faults begin with. */
  name: string;
  faults: readonly string[];
  onChange: (week: WeekDraft) => void;
};

export function HoursFields({ week, name, faults, onChange }: HoursProps) {
  const { t } = useTranslation("appointments");
  const copy = (day: Weekday, to: readonly Weekday[]) => onChange(copied(week, day, to));
  return (
    <div className="hours">
      {WEEKDAYS.map((day, at) => (
        <div key={day} className="hours-day" role="group" aria-label={dayName(at)}>
          <strong>{dayName(at)}</strong>
          <Spans
            spans={week[day]}
            of={dayName(at)}
            name={`${name}.${day}`}
            faults={faults}
            onChange={(spans) => onChange({ ...week, [day]: spans })}
          />
          {week[day].length > 0 && (
            <div className="hours-copy">
              <Button kind="bare" size="small" onClick={() => copy(day, WEEKDAYS)}>
                {t("hours.to_all")}
                <span className="visually-hidden"> ({dayName(at)})</span>
              </Button>
              <Button kind="bare" size="small" onClick={() => copy(day, WEEKDAYS.slice(0, 5))}>
                {t("hours.to_weekdays")}
                <span className="visually-hidden"> ({dayName(at)})</span>
              </Button>
            </div>
          )}
        </div>
      ))}
      {faults.includes(`${name}.none`) && (
        <p className="field-error" role="alert">
          {t("hours.wrong.none")}
        </p>
      )}
    </div>
  );
}

type SpansProps = {
  spans: readonly SpanDraft[];
  of: string;
  name: string;
  faults: readonly string[];
  onChange: (spans: readonly SpanDraft[]) => void;
};

function Spans({ spans, of, name, faults, onChange }: SpansProps) {
  const { t } = useTranslation("appointments");
  const put = (at: number, part: Partial<SpanDraft>) =>
    onChange(spans.map((one, place) => (place === at ? { ...one, ...part } : one)));
  const wrong = (at: number) => {
    if (faults.includes(`${name}.${at}.span`)) return t("hours.wrong.span");
    return faults.includes(`${name}.${at}.overlap`) ? t("hours.wrong.overlap") : null;
  };
  return (
    <div className="hours-spans">
      {spans.length === 0 && <span className="console-quiet">{t("hours.closed")}</span>}
      {spans.map((span, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- lines have no other name while typed
        <div key={at} className="hours-span">
          <Field
            label={t("hours.from", { day: of, number: at + 1 })}
            hideLabel
            type="time"
            value={span.from}
            error={wrong(at)}
            onChange={({ target }) => put(at, { from: target.value })}
          />
          <span aria-hidden="true">–</span>
          <Field
            label={t("hours.to", { day: of, number: at + 1 })}
            hideLabel
            type="time"
            value={span.to}
            onChange={({ target }) => put(at, { to: target.value })}
          />
          <Button
            kind="bare"
            size="small"
            aria-label={t("hours.remove", { day: of, number: at + 1 })}
            onClick={() => onChange(spans.filter((_, place) => place !== at))}
          >
            <Icon name="close" size={18} />
          </Button>
        </div>
      ))}
      {spans.length < SPANS_MAX && (
        <Button
          kind="bare"
          size="small"
          aria-label={t("hours.add_to", { day: of })}
          onClick={() => onChange([...spans, nextSpan(spans)])}
        >
          <Icon name="plus" size={18} />
          {t("hours.add")}
        </Button>
      )}
    </div>
  );
}

type SpecialProps = {
  days: readonly SpecialDraft[];
  name: string;
  faults: readonly string[];
  onChange: (days: readonly SpecialDraft[]) => void;
  /** Days on which all of the team is closed; a provider has none of their own. */
  holidays?: readonly string[];
  onHolidays?: (days: readonly string[]) => void;
};

export function SpecialFields(props: SpecialProps) {
  const { days, name, faults, onChange, holidays, onHolidays } = props;
  const { t } = useTranslation("appointments");
  return (
    <fieldset className="programme-fieldset">
      <legend>{t("special.title")}</legend>
      {holidays !== undefined && onHolidays !== undefined && (
        <Holidays holidays={holidays} onChange={onHolidays} />
      )}
      {days.map((day, at) => (
        <SpecialLine
          // oxlint-disable-next-line react/no-array-index-key -- lines have no other name while typed
          key={at}
          day={day}
          number={at + 1}
          name={`${name}.${at}`}
          faults={faults}
          onChange={(part) =>
            onChange(days.map((one, place) => (place === at ? { ...one, ...part } : one)))
          }
          onRemove={() => onChange(days.filter((_, place) => place !== at))}
        />
      ))}
      <Button kind="quiet" size="small" onClick={() => onChange([...days, NEW_SPECIAL])}>
        {t("special.add")}
      </Button>
    </fieldset>
  );
}

type LineProps = {
  day: SpecialDraft;
  number: number;
  name: string;
  faults: readonly string[];
  onChange: (part: Partial<SpecialDraft>) => void;
  onRemove: () => void;
};

function SpecialLine({ day, number, name, faults, onChange, onRemove }: LineProps) {
  const { t } = useTranslation("appointments");
  const text = (field: "first" | "last") => ({
    label: t(`special.${field}`),
    value: day[field],
    type: "date",
    error: faults.includes(`${name}.${field}`) ? t(`special.wrong.${field}`) : null,
    onChange: ({ target }: { target: { value: string } }) => onChange({ [field]: target.value }),
  });
  return (
    <div className="appointments-line" role="group" aria-label={t("special.one", { number })}>
      <div className="programme-pair">
        <Field {...text("first")} />
        <Field {...text("last")} hint={t("special.last_hint")} />
      </div>
      <label className="console-tick">
        <input
          type="checkbox"
          checked={day.isClosed}
          onChange={({ target }) => onChange({ isClosed: target.checked })}
        />
        {t("special.closed")}
      </label>
      {!day.isClosed && (
        <Spans
          spans={day.spans}
          of={t("special.one", { number })}
          name={name}
          faults={faults}
          onChange={(spans) => onChange({ spans })}
        />
      )}
      {faults.includes(`${name}.hours`) && (
        <p className="field-error" role="alert">
          {t("special.wrong.hours")}
        </p>
      )}
      <Button kind="bare" size="small" onClick={onRemove}>
        {t("special.remove", { number })}
      </Button>
    </div>
  );
}

type HolidaysProps = { holidays: readonly string[]; onChange: (days: readonly string[]) => void };

function Holidays({ holidays, onChange }: HolidaysProps) {
  const { t } = useTranslation("appointments");
  const [day, setDay] = useState("");
  const named = (date: string) => dateTime(`${date}T12:00:00Z`, { dateStyle: "medium" }, "UTC");
  return (
    <>
      <div className="hours-holiday">
        <Field
          label={t("special.holiday")}
          type="date"
          value={day}
          onChange={({ target }) => setDay(target.value)}
        />
        <Button
          kind="quiet"
          disabled={!isDay(day)}
          onClick={() => {
            onChange(withHoliday(holidays, day));
            setDay("");
          }}
        >
          {t("special.add_holiday")}
        </Button>
      </div>
      {holidays.length > 0 && (
        <ul role="list" className="console-chips" aria-label={t("special.holidays")}>
          {holidays.map((one) => (
            <li key={one}>
              <button
                type="button"
                className="console-chip"
                aria-label={t("special.remove_holiday", { day: named(one) })}
                onClick={() => onChange(holidays.filter((other) => other !== one))}
              >
                {named(one)} <Icon name="close" size={16} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
