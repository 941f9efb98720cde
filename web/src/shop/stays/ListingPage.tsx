// One listing: what it is, where, its calendar of nights with prices, and the stay that one chooses in it.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, Redirect, useLocation, useSearch } from "wouter";
import type { Listing } from "~/api/schema";
import { Icon } from "~/design";
import { number } from "~/i18n/format";
import { lastDayOf, addMonths, monthOf } from "../calendar/month";
import { ShowRefundTerms } from "../refunds/RefundTerms";
import { Page } from "../shell/Page";
import { PageOf } from "../shell/PageOf";
import { useJsonLd, useSharedPicture } from "../shell/useHead";
import { useResource } from "../useResource";
import { JoinCard } from "../waitlist/JoinCard";
import { BookBox } from "./BookBox";
import { useListing } from "./catalog";
import { bedWords, clockTime, countryName, languageNames } from "./facts";
import { listingHref, nearHref, roomsMax, wishesOf, type Wishes } from "./filters";
import { Gallery } from "./Gallery";
import { GuestComments } from "./GuestComments";
import { ListingCalendar } from "./ListingCalendar";
import {
  calendarOf,
  canStay,
  isTaken,
  NO_RANGE,
  nightsOf,
  type Calendar,
  type Range,
} from "./range";
import { Rating } from "./Rating";
import { picturesOf, structuredListing } from "./structured";
import { AMENITIES } from "./words";
import "./stays.css";

const DAYS_FIRST = 92;
const DAYS_MAX = 365;
const DAYS_MORE = 61;
const DAY_MS = 86_400_000;

export default function ListingPage({ listingId }: { listingId: string }) {
  const wishes = wishesOf(useSearch());
  // So many nights are asked for as the calendar shows.
  const [days, setDays] = useState(() => daysTo(wishes.end));
  const found = useListing(listingId, "", days, wishes.rooms);
  const show = (month: string) => setDays((known) => Math.max(known, daysTo(lastDayOf(month))));
  return (
    <PageOf what="page" query={found}>
      {(listing) =>
        wishes.rooms > roomsMax(listing) ? (
          // A link may ask for more rooms than there are; on no day one could arrive.
          <Redirect to={listingHref(listing.id, { ...wishes, rooms: roomsMax(listing) })} replace />
        ) : (
          <ListingDetails
            listing={listing}
            wishes={wishes}
            onMonth={show}
            onStale={() => void found.refetch()}
          />
        )
      }
    </PageOf>
  );
}

/** How many nights from today on have a day among them, and some months more to look around in. */
function daysTo(day: string): number {
  const ahead = day === "" ? 0 : Math.ceil((Date.parse(day) - Date.now()) / DAY_MS);
  return Math.min(DAYS_MAX, Math.max(DAYS_FIRST, ahead + DAYS_MORE));
}

type DetailsProps = {
  listing: Listing;
  wishes: Wishes;
  onMonth: (month: string) => void;
  onStale: () => void;
};

function ListingDetails({ listing, wishes, onMonth, onStale }: DetailsProps) {
  const { t } = useTranslation("shop_stays");
  const [, navigate] = useLocation();
  useJsonLd(JSON.stringify(structuredListing(listing, globalThis.location.origin)));
  useSharedPicture(picturesOf(listing)[0]);
  const nights = listing.calendar?.nights ?? [];
  const calendar = calendarOf(nights);
  const today = nights[0]?.date ?? "";
  const range: Range = wishes.start < today ? { start: "", end: "" } : wishes;
  const [chosen, setChosen] = useState<Range>({ start: range.start, end: range.end });
  const [month, setMonth] = useState(() => monthOf(range.start === "" ? today : range.start));
  const change = (part: Partial<Wishes>) =>
    navigate(listingHref(listing.id, { ...wishes, ...chosen, ...part }), { replace: true });
  const choose = (next: Range) => {
    setChosen(next);
    // Half a stay is nothing to come back to.
    if (next.start === "" || nightsOf(next) > 0) change(next);
  };
  const go = (next: string) => {
    setMonth(next);
    onMonth(addMonths(next, 1));
  };
  return (
    <Page
      title={`${listing.name}, ${listing.property.name}`}
      heading={<bdi>{listing.name}</bdi>}
      className="stay-page"
      description={listing.summary || listing.property.summary}
    >
      <Link href={nearHref(listing.property.city, wishes)} className="shop-back">
        <Icon name="back" size={18} flip /> {t("all_stays")}
      </Link>
      <Head listing={listing} />
      <div className="stay-layout">
        <div className="stay-main">
          <Gallery listing={listing} />
          <About listing={listing} />
          <ListingCalendar
            listing={listing}
            calendar={calendar}
            today={today}
            month={month}
            range={chosen}
            onMonth={go}
            onChange={choose}
          />
          <Waitlist listing={listing} calendar={calendar} range={chosen} wishes={wishes} />
          <Rules listing={listing} />
          <GuestComments property={listing.property.id} />
        </div>
        <BookBox
          listing={listing}
          calendar={calendar}
          range={chosen}
          wishes={wishes}
          onChange={change}
          onRange={(next) => {
            choose(next);
            if (next.start !== "") go(monthOf(next.start));
          }}
          onStale={onStale}
        />
      </div>
    </Page>
  );
}

type WaitlistProps = { listing: Listing; calendar: Calendar; range: Range; wishes: Wishes };

/** Waiting for nights that are taken, where the listing has a waitlist. */
function Waitlist({ listing, calendar, range, wishes: { guests, rooms } }: WaitlistProps) {
  const { data: resource } = useResource(listing.id);
  if (resource === undefined || listing.state !== "open") return null;
  const areFree = (stay: Range, wanted: number) =>
    // The calendar is of so many rooms.
    wanted <= rooms && canStay(calendar.get(stay.start), nightsOf(stay));
  return (
    <div id="stay-waitlist" className="stay-waitlist" tabIndex={-1}>
      <JoinCard
        resource={resource}
        stay={{
          ...(nightsOf(range) > 0 ? range : NO_RANGE),
          guests,
          rooms,
          guestsEach: listing.guests,
          isTaken: isTaken(calendar, range, rooms),
          areFree,
        }}
      />
    </div>
  );
}

function Head({ listing: { property, ...listing } }: { listing: Listing }) {
  const { t } = useTranslation("shop_stays");
  const place = [property.address, property.city, countryName(property.country)];
  return (
    <div className="stay-head">
      <p className="stays-over">
        {t(`kinds.${property.kind}`)}
        {property.stars !== null && (
          <span role="img" aria-label={t("stars", { count: property.stars })}>
            {" "}
            {"★".repeat(property.stars)}
          </span>
        )}
        {" · "}
        <bdi>{property.name}</bdi>
      </p>
      <Rating of={property} source={property.rated_elsewhere?.source} />
      <p className="stay-fact">
        <Icon name="pin" size={18} /> <bdi>{place.filter(Boolean).join(", ")}</bdi>
      </p>
      <p className="stay-fact">
        <Icon name="bed" size={18} />
        <span>
          {[
            t("for_guests", { count: listing.guests }),
            bedWords(t, listing.beds),
            listing.square_metres === null
              ? ""
              : t("square_metres", { value: number(listing.square_metres) }),
          ]
            .filter(Boolean)
            .join(" · ")}
        </span>
      </p>
    </div>
  );
}

function About({ listing }: { listing: Listing }) {
  const { t } = useTranslation("shop_stays");
  const { property } = listing;
  const texts = [listing.summary, listing.description, property.summary, property.description];
  const paragraphs = texts.flatMap((text) => text.split(/\n\s*\n/)).filter((one) => one.trim());
  const has = AMENITIES.filter(
    (one) => listing.amenities.includes(one) || property.amenities.includes(one),
  );
  return (
    <>
      {paragraphs.length > 0 && (
        <section aria-labelledby="stay-about">
          <h2 id="stay-about">{t("about")}</h2>
          {paragraphs.map((text, place) => (
            <p key={place} className="stay-text">
              <bdi>{text}</bdi>
            </p>
          ))}
        </section>
      )}
      {has.length > 0 && (
        <section aria-labelledby="stay-amenities">
          <h2 id="stay-amenities">{t("amenity")}</h2>
          <ul role="list" className="stay-amenities">
            {has.map((one) => (
              <li key={one}>
                <Icon name="check" size={16} /> {t(`amenities.${one}`)}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** When one comes and goes, what is asked of guests, and what a cancellation gives back. */
function Rules({ listing }: { listing: Listing }) {
  const { t } = useTranslation("shop_stays");
  const { property } = listing;
  const { data: resource } = useResource(listing.id);
  return (
    <section aria-labelledby="stay-rules" className="stay-rules">
      <h2 id="stay-rules">{t("good_to_know")}</h2>
      <dl>
        <div>
          <dt>{t("check_in")}</dt>
          <dd>{t("from_time", { time: clockTime(property.check_in_time) })}</dd>
        </div>
        <div>
          <dt>{t("check_out")}</dt>
          <dd>{t("until_time", { time: clockTime(property.check_out_time) })}</dd>
        </div>
        {property.languages.length > 0 && (
          <div>
            <dt>{t("languages")}</dt>
            <dd>{languageNames(property.languages)}</dd>
          </div>
        )}
      </dl>
      {property.house_rules !== "" && (
        <p className="stay-text">
          <bdi>{property.house_rules}</bdi>
        </p>
      )}
      {resource !== undefined && <ShowRefundTerms resource={resource} />}
    </section>
  );
}
