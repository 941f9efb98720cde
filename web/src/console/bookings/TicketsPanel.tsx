// The tickets of a booking, and check-in by hand.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { BookingView, Ticket } from "~/api/schema";
import { Button } from "~/design/Button";
import { Loaded } from "~/design/Loaded";
import { Icon } from "~/design/Icon";
import { useToast } from "~/design/Toasts";
import { Act } from "../parts/Act";
import { Panel } from "../parts/PageHead";
import { StateBadge } from "../parts/StateBadge";
import { When } from "../parts/When";
import { api } from "../session";

const SHOWN = 100;

export function TicketsPanel({ booking }: { booking: BookingView }) {
  const { t } = useTranslation("console");
  const [letting, letIn] = useState<Ticket | null>(null);
  const tickets = useQuery({
    queryKey: ["booking", booking.id, "tickets"],
    queryFn: () =>
      api.GET("/v1/bookings/{booking_id}/tickets", {
        path: { booking_id: booking.id },
        query: { limit: SHOWN },
      }),
  });
  return (
    <Panel
      title={t("tickets.title")}
      actions={
        booking.state === "confirmed" && (
          <a
            className="button"
            data-kind="quiet"
            data-size="small"
            href={`/v1/bookings/${booking.id}/tickets.pdf`}
            target="_blank"
            rel="noreferrer"
          >
            <Icon name="ticket" size={18} />
            {t("tickets.pdf")}
          </a>
        )
      }
    >
      <Loaded of={tickets} height="6rem">
        {(data) => (
          <ul role="list" className="console-tickets">
            {data.items.map((ticket) => (
              <li key={ticket.index}>
                <span>
                  <strong>{ticket.label}</strong>
                  {ticket.checked_in_at && (
                    <span className="console-quiet">
                      <When at={ticket.checked_in_at} />
                      {ticket.gate && ` · ${ticket.gate}`}
                    </span>
                  )}
                </span>
                <StateBadge state={ticket.state} />
                {ticket.state === "valid" && ticket.code !== null && (
                  <Button kind="quiet" size="small" onClick={() => letIn(ticket)}>
                    {t("tickets.check_in")}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <CheckIn booking={booking.id} ticket={letting} onClose={() => letIn(null)} />
    </Panel>
  );
}

type CheckInProps = { booking: string; ticket: Ticket | null; onClose: () => void };

function CheckIn({ booking, ticket, onClose }: CheckInProps) {
  const { t } = useTranslation("console");
  const queries = useQueryClient();
  const tell = useToast();
  const run = async (key: string) => {
    if (ticket?.code === null || ticket === null) return;
    await api.POST("/v1/check-ins", {
      key,
      body: { code: ticket.code, gate: t("tickets.gate"), resource_id: null, scanned_at: null },
    });
    tell(t("tickets.done", { label: ticket.label }));
    await queries.invalidateQueries({ queryKey: ["booking", booking] });
  };
  return (
    <Act
      open={ticket !== null}
      title={t("tickets.check_in_title", { label: ticket?.label ?? "" })}
      verb={t("tickets.check_in")}
      onClose={onClose}
      act={run}
    >
      <p>{t("tickets.check_in_text")}</p>
    </Act>
  );
}
