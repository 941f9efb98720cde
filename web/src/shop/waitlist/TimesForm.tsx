// Waiting for a time: a day, from when to when by the clock of the resource, and other beginnings that would do as well.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PublicWaitlist, Resource } from "~/api/schema";
import { Button, ErrorNote, Field, Icon, Select } from "~/design";
import { tellingTime, zoneName } from "~/i18n/format";
import { addDays, dateIn, isDate } from "../days";
import { useShop } from "../session";
import { useNamed } from "../vocabulary";
import { choicesOf, ratesOf, sellsAlike } from "./choices";
import { OTHERS_MAX } from "./dates";
import { JoinFrame } from "./JoinFrame";
import { PartyFields, type PartyOf } from "./PartyFields";
import { beginningsOf, placeOf, withDay, withFrom, type Beginning, type Time } from "./slots";

const NO_TIME: Time = { day: "", from: "", to: "" };
const CLOCK = { timeStyle: "short" } as const;
const NEXT_DAY = { weekday: "short", hour: "numeric", minute: "2-digit" } as const;

export function TimesForm({ resource, list }: { resource: Resource; list: PublicWaitlist }) {
  const { t } = useTranslation("shop_waitlist");
  const [of, setOf] = useState<PartyOf>({ party: 1, choice: "" });
  const [rate, setRate] = useState(ratesOf(resource)[0] ?? "");
  const [first, setFirst] = useState(NO_TIME);
  const [others, setOthers] = useState<readonly Time[]>([]);
  const [isWrong, setWrong] = useState(false);
  const chosen = [first, ...others.toSorted((one, other) => compare(one.from, other.from))];
  const isMissing = chosen.some(({ from, to }) => from === "" || to === "");
  // Somebody else has other times, and so has another service.
  const startAnew = () => {
    setFirst(({ day }) => ({ ...NO_TIME, day }));
    setOthers(others.map(({ day }) => ({ ...NO_TIME, day })));
  };
  return (
    <JoinFrame
      resource={resource}
      list={list}
      title={t("join_title")}
      text={t("join_text_free")}
      places={chosen.map(({ from, to }) => placeOf(resource.id, rate, from, to))}
      wish={{ party: of.party, ...(of.choice !== "" && { categories: [of.choice] }) }}
      onCheck={() => {
        setWrong(isMissing);
        return isMissing;
      }}
      othersFit={(other) => of.choice === "" && rate === "" && sellsAlike(other, resource)}
      othersLegend={t("elsewhere_times")}
      areDatesWrong={isWrong && others.some(({ to }) => to === "")}
      dates={
        <fieldset className="waitlist-dates">
          <legend>{t("other_times")}</legend>
          {others.map((time, place) => (
            // oxlint-disable-next-line react/no-array-index-key -- a time is changed where it stands
            <div key={place} className="waitlist-other">
              <TimeFields
                resource={resource}
                choice={of.choice}
                rate={rate}
                time={time}
                isWrong={isWrong}
                onChange={(changed) => setOthers(others.with(place, changed))}
              />
              <Button
                kind="quiet"
                size="small"
                aria-label={t("remove_other", { number: place + 1 })}
                onClick={() => setOthers(others.toSpliced(place, 1))}
              >
                <Icon name="close" size={18} />
              </Button>
            </div>
          ))}
          {others.length < OTHERS_MAX && (
            <Button
              kind="quiet"
              size="small"
              onClick={() => setOthers([...others, { ...NO_TIME, day: first.day }])}
            >
              {t("add_time")}
            </Button>
          )}
        </fieldset>
      }
    >
      <RateSelect
        resource={resource}
        rate={rate}
        onChange={(chosenRate) => {
          setRate(chosenRate);
          // Not everybody gives every service.
          if (!choicesOf(resource, chosenRate).some(({ name }) => name === of.choice))
            setOf({ ...of, choice: "" });
          startAnew();
        }}
      />
      <TimeFields
        resource={resource}
        choice={of.choice}
        rate={rate}
        time={first}
        isWrong={isWrong}
        onChange={setFirst}
      />
      <PartyFields
        resource={resource}
        list={list}
        rate={rate}
        of={of}
        onChange={(changed) => {
          setOf(changed);
          if (changed.choice !== of.choice) startAnew();
        }}
      />
    </JoinFrame>
  );
}

function compare(one: string, other: string): number {
  return Date.parse(one) - Date.parse(other) || 0;
}

type RateProps = { resource: Resource; rate: string; onChange: (rate: string) => void };

/** What one waits for, where a team gives several services. */
function RateSelect({ resource, rate, onChange }: RateProps) {
  const { t } = useTranslation("shop_waitlist");
  const named = useNamed();
  const names = ratesOf(resource);
  if (names.length < 2) return null;
  return (
    <Select label={t("rate")} value={rate} onChange={({ target }) => onChange(target.value)}>
      {names.map((name) => (
        <option key={name} value={name}>
          {named(name)}
        </option>
      ))}
    </Select>
  );
}

type TimeProps = {
  resource: Resource;
  /** The provider or thing that was chosen; "" is any. */
  choice: string;
  /** The service; "" where there are none. */
  rate: string;
  time: Time;
  isWrong: boolean;
  onChange: (time: Time) => void;
};

/** A day, then one of its beginnings, and an end where there are several. */
function TimeFields({ resource, choice, rate, time, isWrong, onChange }: TimeProps) {
  const { t } = useTranslation("shop_waitlist");
  const { behindMs } = useShop();
  const [opened] = useState(() => Date.now());
  const zone = resource.time_zone;
  const found = useBeginnings(resource, time.day, choice, rate);
  const beginnings = found.data ?? [];
  const own = beginnings.find(({ from }) => from === time.from);
  const clock = (at: string) => tellingTime(at, CLOCK, zone);
  // What has passed its cutoff while one looked at it is chosen no longer.
  const isGone = found.isSuccess && time.from !== "" && own === undefined;
  useEffect(() => {
    if (isGone) onChange({ ...time, from: "", to: "" });
  }, [isGone, onChange, time]);
  return (
    <>
      <Field
        label={t("day")}
        hint={t("by_clock_of", { zone: zoneName(new Date(opened).toISOString(), zone) })}
        type="date"
        min={dateIn(zone, new Date(opened + behindMs))}
        value={time.day}
        error={
          isWrong && !isDate(time.day)
            ? t("day_wrong")
            : found.isSuccess && beginnings.length === 0
              ? t("no_times")
              : undefined
        }
        onChange={({ target }) => onChange(withDay(time, target.value))}
      />
      <Select
        label={t("from")}
        value={own === undefined ? "" : time.from}
        error={isWrong && isDate(time.day) && time.from === "" ? t("time_missing") : undefined}
        onChange={({ target }) => onChange(withFrom(time, target.value, beginnings))}
      >
        <option value="">{t("choose")}</option>
        {beginnings.map(({ from }) => (
          <option key={from} value={from}>
            {clock(from)}
          </option>
        ))}
      </Select>
      {own !== undefined && own.ends.length > 1 && (
        <Select
          label={t("to")}
          value={time.to}
          onChange={({ target }) => onChange({ ...time, to: target.value })}
        >
          {own.ends.map((end) => (
            <option key={end} value={end}>
              {dateIn(zone, new Date(end)) === time.day
                ? clock(end)
                : tellingTime(end, NEXT_DAY, zone)}
            </option>
          ))}
        </Select>
      )}
      {found.isError && <ErrorNote error={found.error} onRetry={() => void found.refetch()} />}
    </>
  );
}

/** What may begin on a day; an end may be on the next. */
function useBeginnings(resource: Resource, day: string, choice: string, rate: string) {
  const { api } = useShop();
  const { plan } = resource;
  return useQuery<Beginning[]>({
    queryKey: ["beginnings", resource.id, day, choice, rate],
    enabled: isDate(day),
    queryFn: async () => {
      const found = await api.GET("/v1/resources/{resource_id}/availability", {
        path: { resource_id: resource.id },
        query: {
          from: day,
          to: addDays(day, 2),
          ...(choice !== "" && { unit: choice }),
          ...(rate !== "" && { rate }),
        },
      });
      // A service is one slot.
      const all = beginningsOf(found, plan.type === "times" && rate === "" ? plan : {});
      return all.filter(({ from }) => dateIn(resource.time_zone, new Date(from)) === day);
    },
  });
}
