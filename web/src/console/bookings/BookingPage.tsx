// One booking: its lines, money, tickets and timeline.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { BookingView } from "~/api/schema";
import { Button, Icon, Loaded } from "~/design";
import { calledBy } from "../contact";
import { PageHead, Panel, ShowTime, StateBadge } from "../parts";
import { api, useMay } from "../session";
import { useResourceNames } from "../resources";
import { AnswersPanel } from "./AnswersPanel";
import { ChangeDates } from "./ChangeDates";
import { CancelBookingDialog } from "./CancelBookingDialog";
import { InvoicesPanel } from "./InvoicesPanel";
import { MoneyPanel } from "./MoneyPanel";
import { TicketsPanel } from "./TicketsPanel";
import { TimelinePanel } from "./TimelinePanel";
import { useTitled } from "./titled";
import { unitInWords } from "./units";
import { WhoPanel } from "./WhoPanel";

const WAITING_MS = 1000;

export default function BookingPage({ id }: { id: string }) {
  const { t } = useTranslation("console");
  const booking = useQuery({
    queryKey: ["booking", id],
    queryFn: () => api.GET("/v1/bookings/{booking_id}", { path: { booking_id: id } }),
    refetchInterval: (query) => (isMoving(query.state.data) ? WAITING_MS : false),
  });
  const back = { href: "/console/bookings", label: t("bookings.title") };
  return (
    <>
      {booking.data === undefined && <PageHead title={t("booking.title")} back={back} />}
      <Loaded of={booking} height="24rem">
        {(data) => <BookingDetails booking={data} back={back} />}
      </Loaded>
    </>
  );
}

/** Whether a payment or refund is in progress, so that the page polls. */
function isMoving(booking: BookingView | undefined): boolean {
  if (booking === undefined) return false;
  const isPaying = booking.payment?.state === "pending" || booking.payment?.state === "authorized";
  return isPaying || booking.refunds.some((refund) => refund.state === "pending");
}

/** A key that changes with the booking's state, its payment and its refunds. */
function seenOf(booking: BookingView): string {
  const refunds = booking.refunds.map((refund) => `${refund.id} ${refund.state}`);
  return [booking.state, booking.payment?.state ?? "", ...refunds].join(" ");
}

type BookingProps = { booking: BookingView; back: { href: string; label: string } };

function BookingDetails({ booking, back }: BookingProps) {
  const { t } = useTranslation("console");
  const [cancelling, cancel] = useState(false);
  const mayRefund = useMay("refund");
  const maySell = useMay("sell");
  const listed = useQuery({
    queryKey: ["booking", booking.id, "listed"],
    queryFn: () => api.GET("/v1/bookings", { query: { q: booking.id, limit: 1 } }),
    select: ({ items }) => items[0] ?? null,
    staleTime: 60_000,
  });
  const contact = listed.data?.contact;
  const resource = listed.data?.resource;
  return (
    <>
      <PageHead
        title={calledBy(contact) ?? t("booking.title")}
        back={back}
        lead={
          <span className="console-facts">
            <StateBadge state={booking.state} />
            {resource && <Link href={`/console/shows/${resource.id}`}>{resource.name}</Link>}
            {resource && <ShowTime of={resource} />}
          </span>
        }
        actions={
          booking.state === "confirmed" && (
            <>
              <ChangeDates booking={booking} />
              {mayRefund && (
                <Button kind="danger" onClick={() => cancel(true)}>
                  <Icon name="refund" size={18} />
                  {t("cancel.verb")}
                </Button>
              )}
            </>
          )
        }
      />
      <div className="console-columns">
        <div className="console-stack-wide">
          <TimelinePanel booking={booking.id} seen={seenOf(booking)} />
          {maySell && <TicketsPanel booking={booking} />}
        </div>
        <div className="console-stack-wide">
          <BookingLines booking={booking} />
          <MoneyPanel booking={booking} />
          <AnswersPanel booking={booking} />
          <InvoicesPanel booking={booking} />
          <WhoPanel booking={booking} contact={listed.data && (contact ?? null)} />
        </div>
      </div>
      <CancelBookingDialog booking={booking} open={cancelling} onClose={() => cancel(false)} />
    </>
  );
}

/** Each place; of several resources, with the name of its own. */
function BookingLines({ booking }: { booking: BookingView }) {
  const { t } = useTranslation("console");
  const ids = [...new Set(booking.lines.map(({ resource_id: id }) => id))];
  const names = useResourceNames(ids.length > 1 ? ids : []);
  const entitle = useTitled(booking.lines);
  return (
    <Panel title={t("booking.lines")}>
      <ul role="list" className="console-lines">
        {booking.lines.map((line, at) => {
          const gone = line.cancelled_quantity;
          const isGone = gone >= (line.quantity ?? 1);
          return (
            <li key={`${line.resource_id} ${line.unit} ${at}`} data-gone={isGone || undefined}>
              <Icon name="seat" size={18} />
              <span>
                {names.has(line.resource_id) && (
                  <>
                    <bdi>{names.get(line.resource_id)}</bdi>:{" "}
                  </>
                )}
                {unitInWords(entitle(line))}
              </span>
              {isGone ? (
                <StateBadge state="cancelled" />
              ) : (
                gone > 0 && (
                  <span className="console-quiet">{t("booking.gone", { count: gone })}</span>
                )
              )}
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
