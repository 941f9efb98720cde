// One event in the list: its picture, who, when, where, and what is left at which price.
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Production } from "~/api/schema";
import { dateTime } from "~/i18n/format";
import { LeftBadge } from "./LeftBadge";
import { isForSale, leftOf } from "./left";
import { Picture } from "./Picture";
import { priceWords } from "./price";

const WHEN = {
  weekday: "short",
  day: "numeric",
  month: "short",
  hour: "numeric",
  minute: "2-digit",
} as const;

export function EventCard({ event, isFirst }: { event: Production; isFirst: boolean }) {
  const { t } = useTranslation("shop_events");
  const next = event.next_performance;
  const left = leftOf(event);
  const others = event.performances - 1;
  return (
    <article className="events-card" data-left={left}>
      <Picture title={event.title} picture={event.picture} isFirst={isFirst} />
      <div className="events-card-words">
        <p className="events-over">{t(`kinds.${event.kind}`)}</p>
        <h3>
          <Link href={`/events/${event.id}`} className="events-card-link">
            <bdi>{event.title}</bdi>
          </Link>
        </h3>
        {event.performers.length > 0 && <Performers names={event.performers} />}
        {next !== null && (
          <>
            <p className="events-when">{dateTime(next.starts_at, WHEN, next.time_zone)}</p>
            <p className="shop-quiet">
              <bdi>{[next.venue.name, next.venue.city].filter(Boolean).join(", ")}</bdi>
            </p>
          </>
        )}
        {others > 0 && <p className="shop-quiet">{t("more_dates", { count: others })}</p>}
      </div>
      <p className="events-card-foot">
        {event.price_from !== null && isForSale(left) && (
          <strong>{priceWords(t, event.price_from.amount, event.price_from.currency, true)}</strong>
        )}
        <LeftBadge left={left} free={event.units_free} />
      </p>
    </article>
  );
}

export function Performers({ names }: { names: readonly string[] }) {
  return (
    <p className="events-performers">
      {names.map((name, index) => (
        <span key={name}>
          {index > 0 && " · "}
          <bdi>{name}</bdi>
        </span>
      ))}
    </p>
  );
}
