// One event: what it is, who is in it, and its dates with prices and what is left.
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Performance, Production } from "~/api/schema";
import { EmptyState, Icon, Loaded } from "~/design";
import { comma, duration, foreignZone, number } from "~/i18n/format";
import { ShowRefundTerms } from "../refunds/RefundTerms";
import { Page } from "../shell/Page";
import { PageOf } from "../shell/PageOf";
import { useDates, useProduction } from "./catalog";
import { DateRow } from "./DateRow";
import { Performers } from "./EventCard";
import { isForSale, leftOf } from "./left";
import { hueStyle, Picture } from "./Picture";
import { useStructuredData } from "./useStructuredData";
import "./programme.css";

export default function EventPage({ productionId }: { productionId: string }) {
  return (
    <PageOf what="page" query={useProduction(productionId)}>
      {(event) => <EventDetails event={event} />}
    </PageOf>
  );
}

function EventDetails({ event }: { event: Production }) {
  const { t } = useTranslation("shop_events");
  const dates = useDates(event.id);
  useStructuredData(event, dates.data);
  return (
    <Page
      title={event.title}
      heading={<bdi>{event.title}</bdi>}
      className={[
        "event-page",
        event.picture === null && "event-bare",
        dates.isPending && "event-waiting",
      ]
        .filter(Boolean)
        .join(" ")}
      description={event.summary}
    >
      <Link href="/events" className="shop-back event-back">
        <Icon name="back" size={18} flip /> {t("all_events")}
      </Link>
      {event.picture !== null && (
        <div className="event-picture" style={hueStyle(event.title)}>
          <Picture
            title={event.title}
            picture={event.picture}
            text={event.picture_text}
            isWhole
            isFirst
          />
        </div>
      )}
      <div className="event-head">
        <p className="events-over">
          {t(`kinds.${event.kind}`)}
          {event.series !== null && (
            <>
              {" · "}
              <bdi>{event.series}</bdi>
            </>
          )}
        </p>
        {event.performers.length > 0 && <Performers names={event.performers} />}
        {event.summary !== "" && (
          <p className="shop-lead">
            <bdi>{event.summary}</bdi>
          </p>
        )}
        <Facts event={event} />
      </div>
      <Dates of={dates} />
      <About event={event} dates={dates.data ?? []} />
    </Page>
  );
}

function Facts({ event }: { event: Production }) {
  const { t } = useTranslation("shop_events");
  const { minutes, age_from: age, website } = event;
  if (minutes === null && age === null && website === null) return null;
  return (
    <dl className="event-facts">
      {minutes !== null && (
        <div>
          <dt>{t("fact.length")}</dt>
          <dd>{duration(minutes)}</dd>
        </div>
      )}
      {age !== null && (
        <div>
          <dt>{t("fact.age")}</dt>
          <dd>{t("age_from", { age: number(age) })}</dd>
        </div>
      )}
      {website !== null && (
        <div>
          <dt>{t("fact.website")}</dt>
          <dd>
            <a href={website} rel="noopener noreferrer" target="_blank">
              <bdi>{new URL(website).hostname}</bdi>
            </a>
          </dd>
        </div>
      )}
    </dl>
  );
}

function Dates({ of }: { of: ReturnType<typeof useDates> }) {
  const { t } = useTranslation("shop_events");
  return (
    <section className="event-dates" aria-labelledby="event-dates">
      <h2 id="event-dates">{t("dates")}</h2>
      <Loaded of={of} height="12rem">
        {(dates) =>
          dates.length === 0 ? (
            <EmptyState title={t("no_dates")}>
              <p>{t("no_dates_text")}</p>
            </EmptyState>
          ) : (
            <>
              <Zones of={dates} />
              <ul role="list">
                {dates.map((date) => (
                  <DateRow key={date.id} date={date} />
                ))}
              </ul>
            </>
          )
        }
      </Loaded>
    </section>
  );
}

/** By which clocks the times are, for who is elsewhere. */
function Zones({ of }: { of: readonly Performance[] }) {
  const { t } = useTranslation("shop_events");
  const zones = new Set(
    of.flatMap(({ starts_at, time_zone }) => foreignZone(starts_at, time_zone) ?? []),
  );
  if (zones.size === 0) return null;
  return <p className="shop-quiet">{t("zones", { zones: [...zones].join(comma()) })}</p>;
}

type AboutProps = { event: Production; dates: readonly Performance[] };

/** The text, how to get in, and what is given back. */
function About({ event, dates }: AboutProps) {
  const { t } = useTranslation("shop_events");
  const paragraphs = event.description.split(/\n\s*\n/).filter((one) => one.trim() !== "");
  const next = dates.find((date) => isForSale(leftOf(date)));
  const venues = new Map(dates.map(({ venue }) => [venue.id, venue]));
  const reachable = [...venues.values()].filter((venue) => venue.accessibility !== "");
  return (
    <div className="event-about">
      {paragraphs.length > 0 && (
        <section aria-labelledby="event-about">
          <h2 id="event-about">{t("about")}</h2>
          {paragraphs.map((text, place) => (
            <p key={place} className="event-text">
              <bdi>{text}</bdi>
            </p>
          ))}
        </section>
      )}
      {reachable.map((venue) => (
        <section key={venue.id}>
          <h2>
            {t("access_at")} <bdi>{venue.name}</bdi>
          </h2>
          <p className="event-text">
            <bdi>{venue.accessibility}</bdi>
          </p>
        </section>
      ))}
      {next !== undefined && <ShowRefundTerms resource={next} />}
    </div>
  );
}
