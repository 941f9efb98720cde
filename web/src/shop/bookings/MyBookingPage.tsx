// One booking: tickets, files, payment, and cancellation.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearch } from "wouter";
import { Badge, Button, ButtonLink, ErrorNote, Icon, Note, useToast } from "~/design";
import { dateTime, money } from "~/i18n/format";
import type { BookingView } from "~/api/schema";
import { showChanged } from "~/api/showChanged";
import { PriceParts } from "../PriceParts";
import { BookingRefundTerms } from "../refunds/RefundTerms";
import { useShop } from "../session";

import { MyAnswers } from "../questions/MyAnswers";
import { Page } from "../shell/Page";
import { PageOf } from "../shell/PageOf";
import { useResource } from "../useResource";
import { useVerticalOf } from "../verticals";
import { VocabularyOf } from "../vocabulary";
import { inWords, wordingOf } from "../wording";
import { UnitList } from "../UnitList";
import { seatsPlan } from "../units";
import { CancelTicketsDialog } from "./CancelTicketsDialog";
import { EndLinksDialog } from "./EndLinksDialog";
import { useBookingFiles } from "./files";
import { Invoices } from "./Invoices";
import { bookingLinks } from "./links";
import { leftLines } from "./leftLines";
import { refundsState } from "./refunds";
import { Tickets } from "./Tickets";
import { BetterLink } from "../waitlist/BetterLink";
import "../checkout/checkout.css";
import "./bookings.css";

const POLL_MS = 2000;

export default function MyBookingPage({ bookingId }: { bookingId: string }) {
  const { api } = useShop();
  const found = useQuery({
    queryKey: ["booking", bookingId],
    queryFn: () => api.GET("/v1/bookings/{booking_id}", { path: { booking_id: bookingId } }),
    refetchInterval: ({ state }) =>
      refundsState(state.data?.refunds ?? []) === "pending" ? POLL_MS : false,
  });
  if (found.data === undefined && found.isError && bookingLinks.wasDropped(bookingId))
    return <EndedLink />;
  return (
    <PageOf what="booking" query={found}>
      {(booking) => <MyBooking booking={booking} />}
    </PageOf>
  );
}

function EndedLink() {
  const { t } = useTranslation("shop");
  return (
    <Page title={t("links.over")} className="shop-narrow">
      <p className="shop-lead">{t("links.over_text")}</p>
      <p>
        <ButtonLink href="/bookings">{t("header.bookings")}</ButtonLink>
      </p>
    </Page>
  );
}

function MyBooking({ booking }: { booking: BookingView }) {
  const { t } = useTranslation("shop");
  const own = useTranslation("shop_booking");
  const { session } = useShop();
  const queries = useQueryClient();
  const isNew = new URLSearchParams(useSearch()).has("new");
  const [isCancelling, setCancelling] = useState(false);
  const [isEnding, setEnding] = useState(false);
  const tell = useToast();
  const { data: resource } = useResource(booking.lines[0]?.resource_id ?? "");
  const files = useBookingFiles(booking.id);
  const { ResourceSummary: Heading, Lines, BookingPart } = useVerticalOf(resource?.kind) ?? {};
  const isCancelled = booking.state === "cancelled";
  const left = leftLines(booking);
  const wording = wordingOf(booking.lines);
  const words = inWords(wording);
  const title = isCancelled
    ? t("booking.cancelled")
    : isNew
      ? t("booking.new")
      : t("booking.title", words);
  const filesError = files.pdf.error ?? files.calendar.error;
  return (
    <VocabularyOf of={resource}>
      <Page title={title} className="booking-page">
        <Link href="/bookings" className="shop-back">
          <Icon name="back" size={18} flip /> {t("header.bookings")}
        </Link>
        {isNew && !isCancelled && <p className="shop-lead">{t("booking.new_text", words)}</p>}
        {isNew && session.demo && (
          <Note>
            {t("booking.demo_mail")} <a href="/console/outbox">{t("booking.demo_outbox")}</a>
          </Note>
        )}
        {booking.payment?.late === "equal_offer" && (
          <Note tone="warn">{t("booking.other_seats")}</Note>
        )}
        <div className="booking-layout">
          <div className="booking-main">
            <Tickets
              bookingId={booking.id}
              version={`${booking.state} ${left.length}`}
              timeZone={resource?.time_zone}
            />
            {!isCancelled && (
              <div className="booking-files">
                <Button kind="quiet" busy={files.pdf.isPending} onClick={() => files.pdf.mutate()}>
                  <Icon name="download" /> {t("booking.pdf", words)}
                </Button>
                <Button
                  kind="quiet"
                  busy={files.calendar.isPending}
                  onClick={() => files.calendar.mutate()}
                >
                  <Icon name="shows" /> {t("booking.calendar")}
                </Button>
              </div>
            )}
            {filesError !== null && <ErrorNote error={filesError} />}
            {resource !== undefined && BookingPart !== undefined && (
              <BookingPart booking={booking} resource={resource} />
            )}
            <MyAnswers booking={booking} />
          </div>
          <aside className="card booking-summary">
            {resource !== undefined && Heading !== undefined ? (
              <Heading resource={resource} />
            ) : (
              <p className="booking-what">
                <bdi>{resource?.name}</bdi>
              </p>
            )}
            {left.length > 0 &&
              (resource !== undefined && Lines !== undefined ? (
                <Lines resource={resource} lines={left} />
              ) : (
                <UnitList plan={seatsPlan(resource)} lines={left} of={resource} />
              ))}
            {booking.quote !== null && <PriceParts quote={booking.quote} wording={wording} />}
            <dl className="booking-facts">
              <div>
                <dt>{t("booking.booked_at")}</dt>
                <dd>{dateTime(booking.confirmed_at)}</dd>
              </div>
              {booking.payment !== null && (
                <div>
                  <dt>{t("booking.paid")}</dt>
                  <dd>{money(booking.payment.amount.amount, booking.payment.amount.currency)}</dd>
                </div>
              )}
              <div>
                <dt>{t("booking.number")}</dt>
                <dd>
                  <code className="booking-code" dir="ltr">
                    {booking.code}
                  </code>
                </dd>
              </div>
            </dl>
            <BookingRefundTerms booking={booking} timeZone={resource?.time_zone} />
            <Refunds booking={booking} />
            <Invoices booking={booking} />
            <BetterLink booking={booking} />
            {left.length > 0 && (
              <Button kind="bare" size="small" onClick={() => setCancelling(true)}>
                {own.t("cancel.open", words)}
              </Button>
            )}
            <Button kind="bare" size="small" onClick={() => setEnding(true)}>
              {t("links.open")}
            </Button>
          </aside>
        </div>
        <EndLinksDialog
          bookingId={booking.id}
          open={isEnding}
          onClose={() => setEnding(false)}
          onEnded={() => tell(t("links.ended"))}
        />
        <CancelTicketsDialog
          booking={booking}
          plan={seatsPlan(resource)}
          open={isCancelling}
          onClose={() => setCancelling(false)}
          onCancelled={(cancelled) => {
            void showChanged(queries, ["booking", booking.id], cancelled);
            void queries.invalidateQueries({ queryKey: ["bookings"] });
          }}
        />
      </Page>
    </VocabularyOf>
  );
}

function Refunds({ booking }: { booking: BookingView }) {
  const { t } = useTranslation("shop");
  if (booking.refunds.length === 0) return null;
  return (
    <section className="booking-refunds" aria-labelledby="refunds-title">
      <h3 id="refunds-title">{t("refunds.title")}</h3>
      <ul role="list" aria-live="polite">
        {booking.refunds.map((refund) => (
          <li key={refund.id}>
            <span className="tabular">{money(refund.amount.amount, refund.amount.currency)}</span>
            <Badge
              tone={
                refund.state === "refunded" ? "good" : refund.state === "failed" ? "bad" : "accent"
              }
            >
              {t(`refunds.${refund.state}`)}
            </Badge>
          </li>
        ))}
      </ul>
      {refundsState(booking.refunds) === "failed" && <p>{t("refunds.failed_text")}</p>}
    </section>
  );
}
