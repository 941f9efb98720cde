// Sends a booking's mail again, and ends the links that its mails have carried so far.
import { useTranslation } from "react-i18next";
import type { BookingView } from "~/api/schema";
import { Button } from "~/design";
import { ActButton, useAction } from "../parts";
import { api } from "../session";

type Props = { booking: BookingView; hasAddress: boolean };

export function MailAndLinks({ booking, hasAddress }: Props) {
  const { t } = useTranslation("console");
  const sending = useAction();
  const path = { booking_id: booking.id };
  const end = async () => {
    await api.DELETE("/v1/bookings/{booking_id}/links", { path });
    return t("links.ended");
  };
  return (
    <div className="console-actions">
      {hasAddress && booking.state === "confirmed" && (
        <Button
          kind="quiet"
          size="small"
          busy={sending.busy}
          onClick={() =>
            sending.run(api.POST("/v1/bookings/{booking_id}/mails", { path }), t("links.sent"))
          }
        >
          {t("links.send")}
        </Button>
      )}
      <ActButton size="small" title={t("links.title")} verb={t("links.end")} dangerous act={end}>
        <p>{t("links.text")}</p>
      </ActButton>
    </div>
  );
}
