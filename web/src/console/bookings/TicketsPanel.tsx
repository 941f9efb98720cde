// The tickets of a booking, and check-in by hand.
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { BookingView } from "~/api/schema";
import { Icon, Loaded } from "~/design";
import { ActButton, Panel, StateBadge, When } from "../parts";
import { api, useMay } from "../session";

const SHOWN = 100;

export function TicketsPanel({ booking }: { booking: BookingView }) {
  const { t } = useTranslation("console");
  const mayCheckIn = useMay("check_in");
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
                {mayCheckIn && ticket.state === "valid" && ticket.code !== null && (
                  <CheckIn booking={booking.id} code={ticket.code} label={ticket.label} />
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Panel>
  );
}

type CheckInProps = { booking: string; code: string; label: string };

function CheckIn({ booking, code, label }: CheckInProps) {
  const { t } = useTranslation("console");
  const run = async (key: string) => {
    const body = { code, gate: t("tickets.gate"), resource_id: null, scanned_at: null };
    await api.POST("/v1/check-ins", { key, body });
    return t("tickets.done", { label });
  };
  return (
    <ActButton
      size="small"
      title={t("tickets.check_in_title", { label })}
      verb={t("tickets.check_in")}
      refetches={["booking", booking]}
      act={run}
    >
      <p>{t("tickets.check_in_text")}</p>
    </ActButton>
  );
}
