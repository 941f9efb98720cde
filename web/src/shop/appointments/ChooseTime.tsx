// Who gives a service, on which day, and when: what one chooses for a new appointment, and for another time of one.
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { Team, TeamService } from "~/api/schema";
import { ErrorNote, useNow } from "~/design";
import { daysFrom } from "../days";
import { useShop } from "../session";
import { useFreeDays, useSlots, useTimesChanged } from "./catalog";
import { titleOf, type Choice } from "./choice";
import { DayChoice } from "./DayChoice";
import { fortnightOf, wantedDay } from "./openDays";
import { dayOf, freeTimes, type Own } from "./slots";
import { TimeChoice } from "./TimeChoice";

const MINUTE_MS = 60_000;

type ChooseProps = {
  team: Team;
  service: TeamService;
  choice: Choice;
  /** When the chosen time begins; "" is none. */
  time: string;
  /** The appointment that is changed. */
  own?: Own;
  onChange: (choice: Choice) => void;
  onTime: (time: string) => void;
};

export function ChooseTime({ team, service, choice, time, own, onChange, onTime }: ChooseProps) {
  const { t } = useTranslation("shop_appointments");
  const { behindMs } = useShop();
  const now = useNow(MINUTE_MS) + behindMs;
  const [today = ""] = daysFrom(team.time_zone, new Date(now), 1);
  const asked = {
    teamId: team.id,
    service: service.name,
    provider: choice.provider,
    quantity: choice.places,
  };
  const anew = useTimesChanged(team.id);
  const ownDay = own === undefined ? "" : dayOf(own.from, team);
  const wanted = wantedDay(choice.date, team, today, ownDay);
  const days = useFreeDays(asked, fortnightOf(wanted, today));
  const next = days.data?.next_free ?? null;
  // Whoever has chosen no day sees the first that has a time.
  const date = wanted || (next === null ? "" : dayOf(next, team));
  const slots = useSlots(asked, date);
  const times = freeTimes(slots.data ?? [], choice.provider, own ?? null, service);
  return (
    <>
      <ProviderChoice team={team} service={service} choice={choice} onChange={onChange} />
      <section className="appt-when" aria-labelledby="appt-when">
        <h2 id="appt-when">{t("when")}</h2>
        {days.isError && days.data === undefined ? (
          <ErrorNote error={days.error} onRetry={anew} />
        ) : (
          <DayChoice
            team={team}
            service={service}
            provider={choice.provider}
            days={days.data}
            isBusy={days.isPlaceholderData}
            today={today}
            chosen={date}
            ownDay={ownDay}
            onChoose={(day) => onChange({ ...choice, date: day })}
          />
        )}
        {date !== "" && (
          <TimeChoice
            team={team}
            date={date}
            times={slots.isPending ? undefined : times}
            error={slots.data === undefined ? slots.error : null}
            onRetry={anew}
            chosen={time}
            {...(own !== undefined && { own: own.from })}
            onChoose={(at) => {
              // The day that was only shown is chosen with its time.
              if (choice.date !== date) onChange({ ...choice, date });
              onTime(at);
            }}
          />
        )}
      </section>
    </>
  );
}

type ProviderProps = Pick<ChooseProps, "team" | "service" | "choice" | "onChange">;

/** Anyone first, for that is where most times are. With one there is nothing to choose. */
function ProviderChoice({ team, service, choice, onChange }: ProviderProps) {
  const { t } = useTranslation("shop_appointments");
  const name = useId();
  if (service.providers.length < 2) return null;
  return (
    <fieldset className="appt-choice appt-providers">
      <legend>{t("provider")}</legend>
      {["", ...service.providers].map((provider) => (
        <label key={provider} className="appt-provider">
          <input
            type="radio"
            name={name}
            checked={choice.provider === provider}
            onChange={() => onChange({ ...choice, provider })}
          />
          <span>
            {provider === "" ? t("anyone") : <bdi>{titleOf(team.providers, provider)}</bdi>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
