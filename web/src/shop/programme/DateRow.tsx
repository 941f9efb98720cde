// One date of an event: day and place, prices by category, what is left, and the way to the seats.
import { useTranslation } from "react-i18next";
import type { Performance } from "~/api/schema";
import { ButtonLink, Icon } from "~/design";
import { dateTime, longTime } from "~/i18n/format";
import { LeftBadge } from "./LeftBadge";
import { isForSale, leftOf, type Left } from "./left";
import { priceWords } from "./price";

const CLOCK = { hour: "numeric", minute: "2-digit" } as const;

export function DateRow({ date }: { date: Performance }) {
  const { t } = useTranslation("shop_events");
  const left = leftOf(date);
  const place = [date.venue.name, date.hall.name, date.venue.city];
  return (
    <li className="event-date" data-left={left}>
      <div className="event-day" aria-hidden="true">
        <span>{dateTime(date.starts_at, { weekday: "short" }, date.time_zone)}</span>
        <strong className="tabular">
          {dateTime(date.starts_at, { day: "numeric" }, date.time_zone)}
        </strong>
        <span>{dateTime(date.starts_at, { month: "short" }, date.time_zone)}</span>
      </div>
      <div className="event-date-words">
        <h3>
          <span className="visually-hidden">
            {dateTime(date.starts_at, { dateStyle: "full" }, date.time_zone)}{" "}
          </span>
          {dateTime(date.starts_at, CLOCK, date.time_zone)}
        </h3>
        {date.doors_at !== null && (
          <p className="shop-quiet">
            {t("doors", { time: dateTime(date.doors_at, CLOCK, date.time_zone) })}
          </p>
        )}
        <p className="event-place">
          <Icon name="pin" size={16} />
          <bdi>{place.filter(Boolean).join(" · ")}</bdi>
        </p>
        {date.note !== "" && (
          <p className="event-note">
            <bdi>{date.note}</bdi>
          </p>
        )}
      </div>
      <Prices date={date} />
      <Way date={date} left={left} />
    </li>
  );
}

function Prices({ date }: { date: Performance }) {
  const { t } = useTranslation("shop_events");
  const priced = date.categories.filter(({ price }) => price !== null);
  if (priced.length === 0) return <p className="event-prices">{t("free")}</p>;
  const isPlus = (date.pricing?.fees ?? []).length > 0;
  return (
    <div className="event-prices">
      <dl>
        {priced.map(({ code, name, price }) => (
          <div key={code}>
            <dt>
              <bdi>{name === "standard" ? t("standard") : name}</bdi>
            </dt>
            <dd className="tabular">{priceWords(t, price ?? 0, date.currency)}</dd>
          </div>
        ))}
      </dl>
      {isPlus && <p className="shop-quiet">{t("plus_fees")}</p>}
    </div>
  );
}

function Way({ date, left }: { date: Performance; left: Left }) {
  const { t } = useTranslation("shop_events");
  const isSoon = left === "not_yet" && date.opens_at !== null;
  return (
    <div className="event-way">
      <LeftBadge left={left} free={date.units_free} />
      {isSoon && (
        <p className="shop-quiet">
          {t("sale_from", { when: longTime(date.opens_at ?? "", date.time_zone) })}
        </p>
      )}
      {isForSale(left) && (
        <ButtonLink href={`/shows/${date.id}`}>
          {t("choose_seats")}
          <span className="visually-hidden">
            {" "}
            {dateTime(date.starts_at, undefined, date.time_zone)}
          </span>
        </ButtonLink>
      )}
    </div>
  );
}
