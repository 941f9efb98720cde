// What was chosen, and the button that holds it. Whoever was faster is told of, with other times that are free.
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import type { Team, TeamService, TimeSlot } from "~/api/schema";
import { Button, ErrorNote, Note } from "~/design";
import { duration, number, tellingTime } from "~/i18n/format";
import { usePlaceHold } from "../show/placeHold";
import { useSlots, useTimesChanged } from "./catalog";
import { titleOf, type Choice } from "./choice";
import { lineOf, quantityOf } from "./changing";
import { BOX, OtherTimes } from "./OtherTimes";
import { hasMore, priceWords } from "./price";
import { otherTimes, timeRefusal } from "./refusal";
import { dayOf, freeTimes, isSameTime } from "./slots";
import { CLOCK } from "./TimeChoice";
import { WHEN, whenWords } from "./when";

type BoxProps = {
  team: Team;
  service: TeamService | undefined;
  choice: Choice;
  time: string;
  onChange: (choice: Choice, time?: string) => void;
};

export function ReserveBox(props: BoxProps) {
  const { team, service, choice, time } = props;
  const { t } = useTranslation("shop_appointments");
  const provider =
    choice.provider === "" && service?.providers.length === 1
      ? (service.providers[0] ?? "")
      : choice.provider;
  const price = (useChosen(props)?.price ?? service?.price ?? 0) * choice.places;
  return (
    <section className="card appt-box" aria-labelledby={BOX} data-ready={time !== "" || undefined}>
      <h2 id={BOX} tabIndex={-1}>
        {t("yours")}
      </h2>
      {service === undefined ? (
        <p>{t("choose_service")}</p>
      ) : (
        <>
          <dl className="appt-box-facts">
            <div className="appt-box-small">
              <dt>{t("service")}</dt>
              <dd>
                <bdi>{service.title}</bdi>
                <span className="shop-quiet"> {duration(service.minutes)}</span>
              </dd>
            </div>
            <div className="appt-box-small">
              <dt>{t("provider")}</dt>
              <dd>
                {provider === "" ? t("anyone") : <bdi>{titleOf(team.providers, provider)}</bdi>}
              </dd>
            </div>
            <div>
              <dt>{t("when")}</dt>
              <dd>{time === "" ? t("choose_time") : whenWords(time, WHEN, team)}</dd>
            </div>
            {choice.places > 1 && (
              <div className="appt-box-small">
                <dt>{t("how_many")}</dt>
                <dd className="tabular">{number(choice.places)}</dd>
              </div>
            )}
            <div>
              <dt>{t("price")}</dt>
              <dd>
                <span className="tabular">{priceWords(t, price, team.currency)}</span>
                {hasMore(price, team) && <span className="shop-quiet"> {t("plus")}</span>}
              </dd>
            </div>
          </dl>
          {/* What was refused is nothing to say of another time. */}
          <Hold
            key={`${time} ${service.name} ${choice.provider} ${choice.places}`}
            {...props}
            service={service}
          />
        </>
      )}
    </section>
  );
}

/** The times of the day of the chosen one. */
function useTimes({ team, service, choice, time }: BoxProps): readonly TimeSlot[] | undefined {
  const asked = {
    teamId: team.id,
    service: service?.name ?? "",
    provider: choice.provider,
    quantity: choice.places,
  };
  return useSlots(asked, time === "" ? "" : dayOf(time, team)).data;
}

/** The chosen time: demand may have changed the price of its service. Undefined while nobody knows. */
function useChosen(of: BoxProps): TimeSlot | undefined {
  return useTimes(of)?.find(({ from }) => isSameTime(from, of.time));
}

function Hold(props: BoxProps & { service: TeamService }) {
  const { team, service, choice, time, onChange } = props;
  const { t } = useTranslation("shop_appointments");
  const [, navigate] = useLocation();
  const placing = usePlaceHold((hold) => navigate(`/checkout/${hold.id}`));
  const anew = useTimesChanged(team.id);
  const slots = useTimes(props);
  const isGone =
    time !== "" &&
    slots !== undefined &&
    !placing.isPending &&
    !placing.isSuccess &&
    !freeTimes(slots).some(({ from }) => isSameTime(from, time));
  const refusal = timeRefusal(placing.error) ?? (isGone && !placing.isError ? "sold_out" : null);
  const others = otherTimes(placing.error, choice.provider);
  return (
    <>
      <div aria-live="polite" className="appt-refusal">
        {refusal !== null && <Note tone="warn">{t(`refusal.${refusal}`)}</Note>}
        {others.length > 0 && (
          <OtherTimes
            team={team}
            times={others}
            onChoose={({ from, provider }) => {
              anew();
              onChange({ ...choice, provider, date: dayOf(from, team) }, from);
            }}
          />
        )}
        {placing.isError && refusal === null && <ErrorNote error={placing.error} />}
      </div>
      {time !== "" && !isGone && team.state === "open" && (
        <>
          <Button
            busy={placing.isPending}
            onClick={() =>
              placing.mutate(
                [lineOf(team.id, service.name, choice.provider, time, quantityOf(choice, team))],
                { onError: anew },
              )
            }
          >
            {t("reserve", { time: tellingTime(time, CLOCK, team.time_zone) })}
          </Button>
          <p className="shop-quiet">
            {t("held_for", { count: Math.floor(team.hold_seconds / 60) })}
          </p>
        </>
      )}
    </>
  );
}
