// The free times of a day, by its parts, as buttons. They are by the clock of the team.
import { useTranslation } from "react-i18next";
import type { Team } from "~/api/schema";
import { ErrorNote, Icon } from "~/design";
import { dateTime, foreignZone, tellingTime } from "~/i18n/format";
import { noonOf } from "../days";
import { byPart, isSameTime, type Time } from "./slots";

export const CLOCK = { hour: "numeric", minute: "2-digit" } as const;

type TimeProps = {
  team: Team;
  date: string;
  /** Undefined while they are not known. */
  times: readonly Time[] | undefined;
  error: unknown;
  onRetry: () => void;
  chosen: string;
  /** When the appointment that is changed begins. */
  own?: string;
  onChoose: (time: string) => void;
};

export function TimeChoice({
  team,
  date,
  times,
  error,
  onRetry,
  chosen,
  own,
  onChoose,
}: TimeProps) {
  const { t } = useTranslation("shop_appointments");
  const [first] = times ?? [];
  const foreign = first === undefined ? null : foreignZone(first.from, team.time_zone);
  return (
    <div className="appt-times">
      <h3>{dateTime(noonOf(date), { weekday: "long", day: "numeric", month: "long" }, "UTC")}</h3>
      {foreign !== null && (
        <p className="shop-quiet appt-fact">
          <Icon name="globe" size={16} /> {t("clock_of", { zone: foreign })}
        </p>
      )}
      {times === undefined && error !== null && <ErrorNote error={error} onRetry={onRetry} />}
      {times === undefined && error === null && <div className="skeleton appt-times-wait" />}
      <p className="visually-hidden" role="status">
        {times === undefined ? "" : t("day.free", { count: times.length })}
      </p>
      {times?.length === 0 && <p>{t("day_none")}</p>}
      {byPart(times ?? [], team.time_zone).map(({ part, times: some }) => (
        <div key={part} role="group" aria-labelledby={`appt-${part}`} className="appt-part">
          <h4 id={`appt-${part}`}>{t(`part.${part}`)}</h4>
          <div className="appt-part-times">
            {some.map(({ from, available }) => {
              const isOwn = own !== undefined && isSameTime(own, from);
              return (
                <button
                  key={from}
                  type="button"
                  className="appt-time tabular"
                  aria-pressed={chosen !== "" && isSameTime(chosen, from)}
                  onClick={() => onChoose(from)}
                >
                  {tellingTime(from, CLOCK, team.time_zone)}
                  {isOwn && <small>{t("change.now")}</small>}
                  {!isOwn && team.capacity > 1 && (
                    <small>{t("places", { count: available })}</small>
                  )}
                </button>
              );
            })}
          </div>
        </div>
      ))}
    </div>
  );
}
