// A date again each week: the days, until when, and the list of all dates before they are made, of
// which any can be left out.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Performance } from "~/api/schema";
import { Button, Field, useToast } from "~/design";
import { dateTime } from "~/i18n/format";
import { clockTime, shownAsUtc, type Weekday, weekdayOf, weeklyTimes } from "./clocks";
import { makeCopies } from "./copies";
import { PublishTick } from "./CopyForm";
import { Refused } from "./Refused";
import { WeekdayTicks } from "./WeekdayTicks";
import { PROGRAMME } from "./calls";
import { useSave } from "../saving/useSave";

const COPIES_MAX = 200;
const SHOWN = { weekday: "short", day: "numeric", month: "short", year: "numeric" } as const;
const CLOCK = { hour: "2-digit", minute: "2-digit" } as const;

type Props = { of: Performance; onDone: () => void };

export function RepeatForm({ of, onDone }: Props) {
  const { t } = useTranslation("programme");
  const tell = useToast();
  const [day = "", hour = ""] = clockTime(of.starts_at, of.time_zone).split("T");
  const [days, setDays] = useState<readonly Weekday[]>([weekdayOf(day)]);
  const [until, setUntil] = useState("");
  const [clock, setClock] = useState(hour);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [isPublished, setPublished] = useState(of.published);
  const { busy, error, save } = useSave(PROGRAMME);
  const times =
    until === "" || clock === "" ? [] : weeklyTimes(day, until, days, clock, COPIES_MAX);
  const chosen = times.filter((time) => !left.has(time));
  const make = () =>
    save(
      () => makeCopies(of, chosen, isPublished),
      (made) => {
        tell(t("repeat.done", { count: made }));
        onDone();
      },
    );
  const leave = (time: string, isWanted: boolean) => {
    const next = new Set(left);
    if (isWanted) next.delete(time);
    else next.add(time);
    setLeft(next);
  };
  return (
    <form
      className="programme-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy && chosen.length > 0) void make();
      }}
    >
      <WeekdayTicks legend={t("repeat.days")} days={days} onChange={setDays} />
      <div className="programme-pair">
        <Field
          type="date"
          label={t("repeat.until")}
          value={until}
          min={day}
          required
          onChange={({ target }) => setUntil(target.value)}
        />
        <Field
          type="time"
          label={t("repeat.clock")}
          hint={t("date.clocks", { zone: of.time_zone })}
          value={clock}
          required
          onChange={({ target }) => setClock(target.value)}
        />
      </div>
      {until !== "" && (
        <fieldset className="programme-times">
          <legend>{t("repeat.list", { count: chosen.length })}</legend>
          {times.map((time) => (
            <label key={time}>
              <input
                type="checkbox"
                checked={!left.has(time)}
                onChange={({ target }) => leave(time, target.checked)}
              />
              <span className="tabular">
                {dateTime(shownAsUtc(time), SHOWN, "UTC")},{" "}
                {dateTime(shownAsUtc(time), CLOCK, "UTC")}
              </span>
            </label>
          ))}
          {times.length === COPIES_MAX && <p className="console-quiet">{t("repeat.most")}</p>}
        </fieldset>
      )}
      <PublishTick isOn={isPublished} onChange={setPublished} />
      <Refused error={error} />
      <div className="dialog-actions">
        <Button type="submit" busy={busy} disabled={chosen.length === 0}>
          {t("repeat.verb", { count: chosen.length })}
        </Button>
      </div>
    </form>
  );
}
