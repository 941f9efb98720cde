// Books for somebody who calls or stands at the desk: a service, by somebody or by anyone, at one of the
// free times of the day. The sale is that of the desk.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Team } from "~/api/schema";
import { Button, Dialog, Field, Icon, Loaded, Select } from "~/design";
import { dateTime, number } from "~/i18n/format";
import { SellButton } from "../desk/SellButton";
import { readWhole } from "../programme/amounts";
import { dayAfter, isDay } from "../reports/days";
import { api, useOwnSession } from "../session";
import { APPOINTMENTS } from "./calls";

type Props = { team: Team; date: string };

const CLOCK = { hour: "2-digit", minute: "2-digit" } as const;

/** Nothing for who may not sell, or where there is no desk. */
export function BookForCaller({ team, date }: Props) {
  const { t } = useTranslation("appointments");
  const session = useOwnSession();
  const [open, setOpen] = useState(false);
  if (!session?.has_desk || !session.scopes.includes("sell")) return null;
  return (
    <>
      <Button disabled={date === ""} onClick={() => setOpen(true)}>
        <Icon name="plus" size={18} />
        {t("caller.verb")}
      </Button>
      <Dialog open={open} title={t("caller.verb")} onClose={() => setOpen(false)}>
        {open && <Times team={team} date={date} />}
      </Dialog>
    </>
  );
}

function Times({ team, date }: Props) {
  const { t } = useTranslation("appointments");
  const [service, setService] = useState(team.services[0]?.name ?? "");
  const [provider, setProvider] = useState("");
  const [day, setDay] = useState(date);
  const [from, setFrom] = useState("");
  const [places, setPlaces] = useState("1");
  const count = readWhole(places, 1, team.capacity);
  const givers = team.services.find(({ name }) => name === service)?.providers ?? [];
  const choose = (part: () => void) => {
    setFrom("");
    part();
  };
  return (
    <div className="console-stack">
      <Select
        label={t("caller.service")}
        value={service}
        onChange={({ target }) =>
          choose(() => {
            setService(target.value);
            setProvider("");
          })
        }
      >
        {team.services.map(({ name, title }) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </Select>
      <div className="programme-pair">
        <Select
          label={t("caller.provider")}
          value={provider}
          onChange={({ target }) => choose(() => setProvider(target.value))}
        >
          <option value="">{t("caller.anyone")}</option>
          {team.providers
            .filter(({ name }) => givers.includes(name))
            .map(({ name, title }) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
        </Select>
        <Field
          label={t("agenda.day")}
          type="date"
          value={day}
          onChange={({ target }) => choose(() => setDay(target.value))}
        />
      </div>
      {team.capacity > 1 && (
        <Field
          label={t("caller.places")}
          value={places}
          error={count === null ? t("caller.places_wrong", { max: number(team.capacity) }) : null}
          inputMode="numeric"
          maxLength={7}
          onChange={({ target }) => choose(() => setPlaces(target.value))}
        />
      )}
      {isDay(day) && count !== null && (
        <FreeTimes
          team={team}
          service={service}
          provider={provider}
          day={day}
          places={count}
          from={from}
          onFrom={setFrom}
        />
      )}
      <div className="console-actions">
        <SellButton
          resource={team.id}
          lines={
            from === "" || count === null
              ? []
              : [
                  {
                    from,
                    rate: service,
                    ...(provider !== "" && { unit: provider }),
                    ...(team.capacity > 1 && { quantity: count }),
                  },
                ]
          }
          count={count ?? 1}
          paysLater={team.payment === "at_venue"}
          calls
          isAppointment
          onDone={() => undefined}
        />
      </div>
    </div>
  );
}

type FreeProps = {
  team: Team;
  service: string;
  provider: string;
  day: string;
  places: number;
  from: string;
  onFrom: (from: string) => void;
};

function FreeTimes({ team, service, provider, day, places, from, onFrom }: FreeProps) {
  const { t } = useTranslation("appointments");
  const times = useQuery({
    queryKey: [...APPOINTMENTS, "agenda", team.id, "times", service, provider, day, places],
    queryFn: async () => {
      const found = await api.GET("/v1/resources/{resource_id}/availability", {
        path: { resource_id: team.id },
        query: {
          from: day,
          to: dayAfter(day, 1),
          rate: service,
          ...(provider !== "" && { unit: provider }),
          ...(places > 1 && { quantity: places }),
        },
      });
      return found.type === "times" ? found.slots.filter(({ reason }) => !reason) : [];
    },
  });
  return (
    <Loaded of={times} height="4rem">
      {(slots) => (
        <Select
          label={t("caller.time")}
          value={from}
          hint={slots.length === 0 ? t("caller.none") : null}
          onChange={({ target }) => onFrom(target.value)}
        >
          <option value="">{t("caller.choose")}</option>
          {slots.map((slot) => (
            <option key={slot.from} value={slot.from}>
              {dateTime(slot.from, CLOCK, team.time_zone)}
            </option>
          ))}
        </Select>
      )}
    </Loaded>
  );
}
