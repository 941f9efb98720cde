// A guest changes the dates of a stay: the calendar, in which their own nights are theirs, what the new stay costs night
// by night, and the difference. The stay of now is theirs until the new one is booked.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { Problem } from "~/api/client";
import type { BookingView, Listing, Quote } from "~/api/schema";
import { Button, ErrorNote, Icon, Note } from "~/design";
import { money } from "~/i18n/format";
import { bookingLinks } from "../bookings/links";
import { addMonths, monthOf } from "../calendar/month";
import { daysText } from "../nights";
import { useRefundQuote } from "../refunds/RefundTerms";
import { Page } from "../shell/Page";
import { PageOf } from "../shell/PageOf";
import { useShop } from "../session";
import { usePlaceHold } from "../show/placeHold";
import { useListing } from "./catalog";
import { bookedRange, changedLines, pricedLines, roomsOf, withOwnNights } from "./changing";
import { ListingCalendar } from "./ListingCalendar";
import { calendarOf, NO_RANGE, nightsOf, type Range } from "./range";
import { stayRefusal } from "./refusal";
import { NightPrices } from "./NightPrices";
import { CHANGE_WORDS, WORDS } from "./pages";
import "./stays.css";

const DAYS = 365;
const WHY = new Set(["checked_in", "begun", "terms", "changed", "under_way"]);

type ChangeProps = { listingId: string; bookingId: string };

export default function ChangePage({ listingId, bookingId }: ChangeProps) {
  const { api } = useShop();
  const booking = useQuery({
    queryKey: ["booking", bookingId],
    queryFn: () => api.GET("/v1/bookings/{booking_id}", { path: { booking_id: bookingId } }),
  });
  return (
    <PageOf what="booking" query={booking}>
      {(found) => <ChangeOf booking={found} listingId={listingId} />}
    </PageOf>
  );
}

function ChangeOf({ booking, listingId }: { booking: BookingView; listingId: string }) {
  const found = useListing(listingId, "", DAYS, Math.max(1, roomsOf(booking)));
  return (
    <PageOf what="page" query={found}>
      {(listing) => (
        <Change booking={booking} listing={listing} onStale={() => void found.refetch()} />
      )}
    </PageOf>
  );
}

type PartProps = { booking: BookingView; listing: Listing; onStale: () => void };

function Change({ booking, listing, onStale }: PartProps) {
  const { t } = useTranslation(CHANGE_WORDS);
  const own = bookedRange(booking) ?? NO_RANGE;
  const nights = listing.calendar?.nights ?? [];
  const today = nights[0]?.date ?? "";
  const calendar = calendarOf(withOwnNights(nights, own, roomsOf(booking)));
  const [range, setRange] = useState<Range>(NO_RANGE);
  const [month, setMonth] = useState(() => monthOf(own.start < today ? today : own.start));
  return (
    <Page title={t("title")} className="stay-page">
      <Link href={`/bookings/${booking.id}`} className="shop-back">
        <Icon name="back" size={18} flip /> {t("back")}
      </Link>
      <p className="shop-lead">
        <bdi>{listing.name}</bdi>, {daysText(own.start, own.end)}
      </p>
      <p>{t("how")}</p>
      <div className="stay-layout">
        <div className="stay-main">
          <ListingCalendar
            listing={listing}
            calendar={calendar}
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
        </div>
        <section className="card stay-book" aria-labelledby="stay-change">
          <h2 id="stay-change">{t("new_stay")}</h2>
          <p className="stay-book-dates">
            {nightsOf(range) > 0 ? daysText(range.start, range.end) : t(`${WORDS}:choose_dates`)}
          </p>
          {nightsOf(range) > 0 && (
            <NewStay
              key={`${range.start} ${range.end}`}
              {...{ booking, listing, range, own, onStale }}
            />
          )}
        </section>
      </div>
    </Page>
  );
}

function NewStay(props: PartProps & { range: Range; own: Range }) {
  const { booking, listing, range, own, onStale } = props;
  const { t } = useTranslation(CHANGE_WORDS);
  const { api } = useShop();
  const [, navigate] = useLocation();
  const placing = usePlaceHold((hold) => {
    // Whoever came by a mail's link goes on by it.
    const link = bookingLinks.ofPage();
    if (link !== null) bookingLinks.keep([[hold.id, link]]);
    navigate(`/checkout/${hold.id}?instead_of=${booking.id}`);
  }, booking.id);
  const isSame = range.start === own.start && range.end === own.end;
  const lines = pricedLines(booking, range);
  const quote = useQuery({
    queryKey: ["stays", "change", booking.id, range],
    enabled: !isSame,
    retry: false,
    queryFn: () => api.POST("/v1/quotes", { body: { lines } }),
  });
  if (isSame) return <Note>{t("same")}</Note>;
  const refusal = refusalOf(quote.error ?? placing.error);
  const error = quote.error ?? placing.error;
  return (
    <>
      {quote.data !== undefined && (
        <>
          <NightPrices quote={quote.data} listingId={listing.id} />
          <Difference booking={booking} quote={quote.data} />
        </>
      )}
      <div aria-live="polite">
        {refusal !== null && <Note tone="warn">{t(refusal)}</Note>}
        {error !== null && refusal === null && (
          <ErrorNote error={error} onRetry={() => void quote.refetch()} />
        )}
      </div>
      {quote.data !== undefined && (
        <>
          <Button
            busy={placing.isPending}
            onClick={() => placing.mutate(changedLines(booking, range), { onError: onStale })}
          >
            {t("go")}
          </Button>
          <p className="shop-quiet">{t("kept")}</p>
        </>
      )}
    </>
  );
}

/** The key of what is said of a refusal; null where it is about something else. */
function refusalOf(error: unknown): string | null {
  if (error instanceof Problem && error.code === "booking_not_exchangeable") {
    const reason = String(error.data["reason"]);
    return `why.${WHY.has(reason) ? reason : "changed"}`;
  }
  const said = stayRefusal(error);
  return said === null ? null : `${WORDS}:refusal.${said}`;
}

/** What the new stay costs more or less than the one of now. */
function Difference({ booking, quote }: { booking: BookingView; quote: Quote }) {
  const { t } = useTranslation(CHANGE_WORDS);
  const refund = useRefundQuote(booking).data;
  const isPaid = booking.payment !== null;
  if (isPaid && refund === undefined) return null;
  // Of what was cancelled in part less comes back than it cost.
  const { amount: cost, currency } = booking.amount;
  const now = refund?.amount ?? cost;
  const more = quote.total.amount - now;
  const say = more > 0 ? "more" : more < 0 ? "less" : "even";
  return (
    <dl className="stay-difference">
      <div>
        <dt>{t(isPaid ? "comes_back" : "before")}</dt>
        <dd className="tabular">{money(now, currency)}</dd>
      </div>
      <div>
        <dt>
          <strong>{t(say)}</strong>
        </dt>
        <dd className="tabular">
          <strong>{money(Math.abs(more), currency)}</strong>
        </dd>
      </div>
    </dl>
  );
}
