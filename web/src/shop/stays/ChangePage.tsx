// A guest changes the dates of a stay, in all of its rooms at once: the calendar, in which their own nights are theirs,
// what the new stay costs, and the difference. The stay of now is theirs until the new one is booked.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { BookingView, Listing } from "~/api/schema";
import { Icon } from "~/design";
import { comma } from "~/i18n/format";
import { addMonths, monthOf } from "../calendar/month";
import { daysText } from "../nights";
import { Page } from "../shell/Page";
import { PageOf } from "../shell/PageOf";
import { useShop } from "../session";
import { bookedRange, roomsOf, together, withOwnNights } from "./changing";
import { ListingCalendar } from "./ListingCalendar";
import { useListings } from "./listings";
import { NewStay } from "./NewStay";
import { calendarOf, NO_RANGE, nightsOf, type Range } from "./range";
import { CHANGE_WORDS, WORDS } from "./pages";
import "./stays.css";

const DAYS = 365;

export default function ChangePage({ bookingId }: { bookingId: string }) {
  const { api } = useShop();
  const booking = useQuery({
    queryKey: ["booking", bookingId],
    queryFn: () => api.GET("/v1/bookings/{booking_id}", { path: { booking_id: bookingId } }),
  });
  return (
    <PageOf what="booking" query={booking}>
      {(found) => <ChangeOf booking={found} />}
    </PageOf>
  );
}

function ChangeOf({ booking }: { booking: BookingView }) {
  const found = useListings(roomsOf(booking), DAYS);
  return (
    <PageOf what="page" query={found}>
      {(listings) => <Change booking={booking} listings={listings} onStale={found.refetch} />}
    </PageOf>
  );
}

type PartProps = { booking: BookingView; listings: readonly Listing[]; onStale: () => void };

function Change({ booking, listings, onStale }: PartProps) {
  const { t } = useTranslation(CHANGE_WORDS);
  const own = bookedRange(booking) ?? NO_RANGE;
  const nights = nightsOfAll(booking, listings, own);
  const today = nights[0]?.date ?? "";
  const [range, setRange] = useState<Range>(NO_RANGE);
  const [month, setMonth] = useState(() => monthOf(own.start < today ? today : own.start));
  const listing = lastingLeast(listings);
  const isMany = listings.length > 1;
  return (
    <Page title={t("title")} className="stay-page">
      <Link href={`/bookings/${booking.id}`} className="shop-back">
        <Icon name="back" size={18} flip /> {t("back")}
      </Link>
      <p className="shop-lead">
        <bdi>{listings.map(({ name }) => name).join(comma())}</bdi>
        {comma()}
        {daysText(own.start, own.end)}
      </p>
      <p>
        {t("how")} {isMany && t("together")}
      </p>
      <div className="stay-layout">
        <div className="stay-main">
          {listing !== null && (
            <ListingCalendar
              listing={listing}
              calendar={calendarOf(nights)}
              today={today}
              month={month}
              range={range}
              onMonth={setMonth}
              onChange={(next) => {
                setRange(next);
                const from = monthOf(next.start);
                if (next.start !== "" && from > addMonths(month, 1)) setMonth(from);
              }}
            />
          )}
        </div>
        <section className="card stay-book" aria-labelledby="stay-change">
          <h2 id="stay-change">{t("new_stay")}</h2>
          <p className="stay-book-dates">
            {nightsOf(range) > 0 ? daysText(range.start, range.end) : t(`${WORDS}:choose_dates`)}
          </p>
          {nightsOf(range) > 0 && (
            <NewStay
              key={`${range.start} ${range.end}`}
              {...{ booking, listings, range, own, onStale }}
            />
          )}
        </section>
      </div>
    </Page>
  );
}

/** What each night is good for in all of the listings, to the guest who has these of them. */
function nightsOfAll(booking: BookingView, listings: readonly Listing[], own: Range) {
  const rooms = roomsOf(booking);
  return together(
    listings.map(({ id, calendar }) => {
      const count = Math.max(1, rooms.get(id) ?? 1);
      return { nights: withOwnNights(calendar?.nights ?? [], own, count), rooms: count };
    }),
  );
}

/** The listing whose calendar ends first. */
function lastingLeast(listings: readonly Listing[]): Listing | null {
  const last = ({ calendar }: Listing) => calendar?.last_departure ?? "";
  return listings.toSorted((one, other) => (last(one) < last(other) ? -1 : 1))[0] ?? null;
}
