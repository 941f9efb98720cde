// The tickets of a booking with their QR codes.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge, Dialog, Loaded, Skeleton, useWakeLock } from "~/design";
import { eventTime } from "~/i18n/format";
import type { Ticket } from "~/api/schema";
import { useShop } from "../session";
import { useQrCode } from "./files";

const TICKETS_MAX = 100;

type TicketsProps = { bookingId: string; version: string; timeZone: string | undefined };

export function Tickets({ bookingId, version, timeZone }: TicketsProps) {
  const { t } = useTranslation("shop");
  const { api } = useShop();
  const found = useQuery({
    queryKey: ["tickets", bookingId, version],
    queryFn: () =>
      api.GET("/v1/bookings/{booking_id}/tickets", {
        path: { booking_id: bookingId },
        query: { limit: TICKETS_MAX },
      }),
  });
  return (
    <Loaded of={found} height="14rem">
      {({ items, count }) => (
        <section aria-labelledby="tickets-title">
          <h2 id="tickets-title" className="visually-hidden">
            {t("tickets.title")}
          </h2>
          <ul role="list" className="tickets">
            {items.map((ticket) => (
              <li key={ticket.index}>
                <TicketCard ticket={ticket} bookingId={bookingId} timeZone={timeZone} />
              </li>
            ))}
          </ul>
          {count > items.length && <p className="shop-quiet">{t("tickets.in_pdf", { count })}</p>}
        </section>
      )}
    </Loaded>
  );
}

type CardProps = { ticket: Ticket; bookingId: string; timeZone: string | undefined };

function TicketCard({ ticket, bookingId, timeZone }: CardProps) {
  const { t } = useTranslation("shop");
  const isGone = ticket.state === "cancelled";
  return (
    <article className="ticket" data-state={ticket.state}>
      <div className="ticket-words">
        <p className="ticket-name">
          <bdi>{ticket.resource_name}</bdi>
        </p>
        {ticket.starts_at !== null && (
          <p className="ticket-when">{eventTime(ticket.starts_at, undefined, timeZone ?? "UTC")}</p>
        )}
        <p className="ticket-seat">
          <bdi>{ticket.label}</bdi>
        </p>
        {ticket.state !== "valid" && (
          <Badge tone={isGone ? "bad" : "good"}>{t(`tickets.${ticket.state}`)}</Badge>
        )}
      </div>
      <div className="ticket-stub">
        {isGone ? (
          <span className="shop-quiet">{t("tickets.cancelled")}</span>
        ) : (
          <QrCode bookingId={bookingId} ticket={ticket} />
        )}
      </div>
    </article>
  );
}

function QrCode({ bookingId, ticket }: { bookingId: string; ticket: Ticket }) {
  const { t } = useTranslation("shop");
  const { label } = ticket;
  const { url, failed } = useQrCode(bookingId, ticket.index);
  const [isLarge, setLarge] = useState(false);
  if (failed) return <span className="shop-quiet">{t("tickets.no_code")}</span>;
  if (url === null) return <Skeleton width="9rem" height="9rem" />;
  return (
    <>
      <button
        type="button"
        className="ticket-code"
        aria-haspopup="dialog"
        aria-label={t("tickets.code_large", { label })}
        onClick={() => setLarge(true)}
      >
        <img src={url} width="144" height="144" alt="" />
      </button>
      <Dialog open={isLarge} isSheet title={<bdi>{label}</bdi>} onClose={() => setLarge(false)}>
        <LargeCode url={url} ticket={ticket} />
      </Dialog>
    </>
  );
}

/** What is held before a scanner. A page cannot turn the brightness up, so that it says who can. */
function LargeCode({ url, ticket }: { url: string; ticket: Ticket }) {
  const { t } = useTranslation("shop");
  useWakeLock(true);
  return (
    <div className="ticket-large">
      <img src={url} alt={t("tickets.code_of", { label: ticket.label })} />
      <p className="ticket-name">
        <bdi>{ticket.resource_name}</bdi>
      </p>
      <p className="shop-quiet">{t("tickets.bright")}</p>
    </div>
  );
}
