// What search engines read of an event: each of its dates as an Event of schema.org, in JSON-LD.
import type { Performance, Production } from "~/api/schema";
import { decimalsOf } from "~/i18n/currencies";
import { leftOf } from "./left";

const SCHEMA = "https://schema.org";
const DATES_MAX = 50;

const TYPES: Readonly<Record<Production["kind"], string>> = {
  concert: "MusicEvent",
  theatre: "TheaterEvent",
  talk: "Event",
  comedy: "ComedyEvent",
  dance: "DanceEvent",
  party: "SocialEvent",
  sport: "SportsEvent",
  family: "ChildrensEvent",
  other: "Event",
};

const AVAILABLE = {
  plenty: "InStock",
  few: "LimitedAvailability",
  sold_out: "SoldOut",
  not_yet: "PreSale",
  closed: "SoldOut",
  called_off: "Discontinued",
} as const;

type Json = { [name: string]: string | number | Json | readonly Json[] | undefined };

/** `origin` is where the shop is, `seller` who sells. */
export function structuredData(
  event: Production,
  dates: readonly Performance[],
  origin: string,
  seller: string | null,
): Json {
  const { picture, summary, description, performers, age_from: age } = event;
  const shared: Json = {
    "@type": TYPES[event.kind],
    name: event.title,
    url: `${origin}/events/${event.id}`,
    description: summary || description || undefined,
    image: picture === null ? undefined : new URL(picture, origin).href,
    performer: performers.map((name) => ({ "@type": "PerformingGroup", name })),
    organizer: seller === null ? undefined : { "@type": "Organization", name: seller, url: origin },
    typicalAgeRange: age === null ? undefined : `${age}-`,
    eventAttendanceMode: `${SCHEMA}/OfflineEventAttendanceMode`,
  };
  return {
    "@context": SCHEMA,
    "@graph": dates.slice(0, DATES_MAX).map((date) => ({ ...shared, ...dated(date, origin) })),
  };
}

function dated(date: Performance, origin: string): Json {
  const { venue, currency } = date;
  const left = leftOf(date);
  return {
    startDate: date.starts_at,
    endDate: date.ends_at,
    doorTime: date.doors_at ?? undefined,
    eventStatus: `${SCHEMA}/${left === "called_off" ? "EventCancelled" : "EventScheduled"}`,
    location: {
      "@type": "Place",
      name: venue.name,
      address: {
        "@type": "PostalAddress",
        streetAddress: venue.address || undefined,
        addressLocality: venue.city || undefined,
        addressCountry: venue.country ?? undefined,
      },
    },
    offers: {
      "@type": "Offer",
      url: `${origin}/shows/${date.id}`,
      price: (date.price_from / 10 ** decimalsOf(currency)).toFixed(decimalsOf(currency)),
      priceCurrency: currency,
      availability: `${SCHEMA}/${AVAILABLE[left]}`,
      validFrom: date.opens_at ?? undefined,
    },
  };
}
