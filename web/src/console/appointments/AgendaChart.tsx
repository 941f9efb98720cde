// A day in columns, one for each provider, by the clock; on a phone each is a list.
import type { CSSProperties } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Agenda, Appointment, Contact, Team } from "~/api/schema";
import { phoneHref } from "~/api/phone";
import { Badge, EmptyState } from "~/design";
import { dateTime, number } from "~/i18n/format";
import { calledBy } from "../contact";
import { ActButton } from "../parts";
import { api, useMay } from "../session";
import { type Column, layoutOf, type Placed } from "./agendaLayout";
import { agendaKey } from "./calls";

type Props = { team: Team; agenda: Agenda };

const CLOCK = { hour: "2-digit", minute: "2-digit" } as const;
/** The shortest is as high as a finger is wide. */
const SHORTEST_PX = 30;
/** Where there are numbers to call, they have a line of their own. */
const SHORTEST_CALLED_PX = 48;
const MINUTE_PX_MIN = 1.2;
const MINUTE_PX_MAX = 5;
const COLUMN_REM = 13;
const LANE_REM = 8;

export function AgendaChart({ team, agenda }: Props) {
  const { t } = useTranslation("appointments");
  const { time_zone: zone, items } = agenda;
  const layout = layoutOf(agenda.providers, items);
  if (items.length === 0) {
    return (
      <EmptyState title={t("agenda.none")}>
        <p>{t("agenda.none_text")}</p>
      </EmptyState>
    );
  }
  const shortest = items.some(({ guest }) => guest?.phone) ? SHORTEST_CALLED_PX : SHORTEST_PX;
  const scale = Math.min(Math.max(shortest / layout.shortest, MINUTE_PX_MIN), MINUTE_PX_MAX);
  const style: CSSProperties & Record<`--${string}`, string | number> = {
    "--agenda-columns": layout.columns.map(widthOf).join(" "),
    "--agenda-minute": `${scale}px`,
    "--agenda-minutes": layout.minutes,
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by keyboard
    <div className="agenda-scroll" role="region" aria-label={t("agenda.title")} tabIndex={0}>
      <div className="agenda" style={style}>
        <div className="agenda-hours" aria-hidden="true">
          {layout.hours.map((hour) => (
            <span key={hour.getTime()}>{dateTime(hour, CLOCK, zone)}</span>
          ))}
        </div>
        {layout.columns.map((column) => (
          <ProviderDay key={column.provider} team={team} column={column} zone={zone} />
        ))}
      </div>
    </div>
  );
}

/** Wide enough to read all who stand side by side, as the guests of a class. */
const widthOf = ({ lanes }: Column) => `minmax(${Math.max(COLUMN_REM, lanes * LANE_REM)}rem, 1fr)`;

type DayProps = { team: Team; column: Column; zone: string };

function ProviderDay({ team, column: { provider, placed }, zone }: DayProps) {
  const { t } = useTranslation("appointments");
  const title = team.providers.find(({ name }) => name === provider)?.title ?? provider;
  return (
    <section className="agenda-column">
      <h3>
        <bdi>{title}</bdi>{" "}
        <span className="console-quiet">
          ({number(placed.filter(({ item }) => item.state !== "blocked").length)})
        </span>
      </h3>
      {placed.length === 0 ? (
        <p className="console-quiet agenda-free">{t("agenda.free")}</p>
      ) : (
        <ol role="list" className="agenda-items">
          {placed.map((one) => (
            <Item key={nameOf(one)} team={team} placed={one} zone={zone} />
          ))}
        </ol>
      )}
    </section>
  );
}

/** A booking may have a time twice, in lines of its own: these stand side by side. */
const nameOf = ({ item, lane }: Placed) =>
  [item.booking_id ?? item.hold_id ?? item.block_id, item.from, item.service, lane].join(" ");

type ItemProps = { team: Team; placed: Placed; zone: string };

function Item({ team, placed, zone }: ItemProps) {
  const { item, top, minutes, lane, lanes } = placed;
  const style: CSSProperties & Record<`--${string}`, string | number> = {
    "--agenda-top": top,
    "--agenda-long": minutes,
    "--agenda-lane": lane,
    "--agenda-lanes": lanes,
  };
  const clock = (at: string) => dateTime(at, CLOCK, zone);
  const service = team.services.find(({ name }) => name === item.service)?.title ?? item.service;
  return (
    <li className="agenda-item" data-state={item.state} style={style}>
      <span className="agenda-time tabular">
        <bdi>{clock(item.from)}</bdi>–<bdi>{clock(item.to)}</bdi>
      </span>
      <Who team={team} item={item} />
      {item.quantity > 1 && <span className="agenda-places">× {number(item.quantity)}</span>}
      {service && (
        <span className="agenda-service">
          <bdi>{service}</bdi>
        </span>
      )}
      <Marks item={item} />
      {item.guest && <Call guest={item.guest} />}
    </li>
  );
}

/** The number of a guest who is not called by it already. */
function Call({ guest: { name, email, phone } }: { guest: Contact }) {
  if (!phone || (!name && !email)) return null;
  return (
    <a href={phoneHref(phone)} className="agenda-phone" dir="ltr">
      {phone}
    </a>
  );
}

/** Whose it is: the way to the booking, or to the end of a block. */
function Who({ team, item }: { team: Team; item: Appointment }) {
  const { t } = useTranslation("appointments");
  if (item.state === "blocked") return <Blocked team={team} item={item} />;
  if (item.state === "held") return <strong>{t("agenda.held")}</strong>;
  const { guest, code, booking_id: booking } = item;
  return (
    <Link href={`/console/bookings/${booking}`} className="agenda-who">
      <bdi>{calledBy(guest) ?? code}</bdi>
    </Link>
  );
}

function Blocked({ team, item }: { team: Team; item: Appointment }) {
  const { t } = useTranslation("appointments");
  const mayManage = useMay("manage");
  const { block_id: block, reason } = item;
  const words = reason ?? t("agenda.blocked");
  if (!mayManage || block === null || block === undefined)
    return <strong>{`${t("agenda.blocked")}: ${words}`}</strong>;
  const lift = async (key: string) => {
    await api.DELETE("/v1/resources/{resource_id}/blocks/{block_id}", {
      path: { resource_id: team.id, block_id: block },
      key,
    });
    return t("block.lifted");
  };
  return (
    <ActButton
      size="small"
      label={words}
      title={t("block.lift")}
      verb={t("block.lift")}
      refetches={agendaKey(team.id)}
      act={lift}
    >
      <p>{t("block.lift_text", { reason: words })}</p>
    </ActButton>
  );
}

/** What the desk wants to know: whether they are here, and whether they have paid. */
function Marks({ item }: { item: Appointment }) {
  const { t } = useTranslation("appointments");
  const { state, arrived, payment } = item;
  if (state !== "booked") return null;
  return (
    <span className="agenda-marks">
      {arrived && <Badge tone="good">{t("agenda.arrived")}</Badge>}
      {payment && (
        <Badge tone={payment === "at_venue" ? "warn" : "plain"}>
          {t(`agenda.payments.${payment}`)}
        </Badge>
      )}
    </span>
  );
}
