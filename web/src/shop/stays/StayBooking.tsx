// What one does with the booking of a stay: change its dates before it begins, and say how it was afterwards.
import { useTranslation } from "react-i18next";
import type { BookingView, Resource } from "~/api/schema";
import { ButtonLink, Icon, useNow } from "~/design";
import { daysFrom } from "../days";
import { givesAllBack } from "../bookings/givesAllBack";
import { useRefundQuote } from "../refunds/RefundTerms";
import { useShop } from "../session";
import { bookedRange } from "./changing";
import RateStay from "./RateStay";

const MINUTE_MS = 60_000;

export default function StayBooking(of: { booking: BookingView; resource: Resource }) {
  return (
    <>
      <ChangeLink {...of} />
      <RateStay {...of} />
    </>
  );
}

/** Shown while it can be changed, also to whoever came by a mail's link. */
function ChangeLink({ booking, resource }: { booking: BookingView; resource: Resource }) {
  const { t } = useTranslation("shop_stays");
  const { behindMs } = useShop();
  const now = new Date(useNow(MINUTE_MS) + behindMs);
  const [today = ""] = daysFrom(resource.time_zone, now, 1);
  const refund = useRefundQuote(booking);
  const range = bookedRange(booking);
  if (range === null || range.start < today) return null;
  if (booking.payment !== null && !givesAllBack(refund.data, booking)) return null;
  return (
    <p>
      <ButtonLink kind="quiet" href={`/stays/${resource.id}/change/${booking.id}`}>
        <Icon name="shows" size={18} /> {t("change.open")}
      </ButtonLink>
    </p>
  );
}
