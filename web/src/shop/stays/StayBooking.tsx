// What one does with the booking of a stay: change its dates before it begins, and say how it was afterwards.
import { useQueries } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { BookingView, Resource } from "~/api/schema";
import { ButtonLink, Icon, useNow } from "~/design";
import { daysFrom } from "../days";
import { givesAllBack } from "../bookings/givesAllBack";
import { useRefundQuote } from "../refunds/RefundTerms";
import { useShop } from "../session";
import { bookedRange, roomsOf } from "./changing";
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
  const isOfStays = useIsOfStays(booking);
  if (range === null || !isOfStays || range.start < today) return null;
  if (booking.payment !== null && !givesAllBack(refund.data, booking)) return null;
  return (
    <p>
      <ButtonLink kind="quiet" href={`/stays/${resource.id}/change/${booking.id}`}>
        <Icon name="shows" size={18} /> {t("change.open")}
      </ButtonLink>
    </p>
  );
}

/** Whether all of a booking is of listings: only these have a calendar here. */
function useIsOfStays(booking: BookingView): boolean {
  const { api } = useShop();
  return useQueries({
    queries: [...roomsOf(booking).keys()].map((id) => ({
      queryKey: ["resource", id],
      queryFn: () => api.GET("/v1/resources/{resource_id}", { path: { resource_id: id } }),
    })),
    combine: (found) => found.every(({ data }) => data?.kind === "stay"),
  });
}
