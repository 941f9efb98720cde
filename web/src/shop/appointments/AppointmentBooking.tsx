// What one does with the booking of an appointment: choose another time, until it begins, also by a mail's link.
import { useTranslation } from "react-i18next";
import type { BookingView, Resource } from "~/api/schema";
import { ButtonLink, Icon, useNow } from "~/design";
import { givesAllBack } from "../bookings/givesAllBack";
import { useRefundQuote } from "../refunds/RefundTerms";
import { useShop } from "../session";
import { bookedTime } from "./changing";

const MINUTE_MS = 60_000;

type PartProps = { booking: BookingView; resource: Resource };

export function AppointmentBooking({ booking, resource }: PartProps) {
  const { t } = useTranslation("shop_appointments");
  const { behindMs } = useShop();
  const now = useNow(MINUTE_MS) + behindMs;
  const refund = useRefundQuote(booking);
  const own = bookedTime(booking);
  if (own === null || Date.parse(own.from) <= now) return null;
  if (booking.payment !== null && !givesAllBack(refund.data, booking)) return null;
  return (
    <p>
      <ButtonLink kind="quiet" href={`/appointments/${resource.id}/change/${booking.id}`}>
        <Icon name="clock" size={18} /> {t("change.open")}
      </ButtonLink>
    </p>
  );
}
