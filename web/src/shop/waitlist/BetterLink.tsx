// The way from a booking to the waitlist of the same thing, where one may wait for something better. Whoever came to the
// booking by a mail's link is not its owner here, and could not give it back.
import { useTranslation } from "react-i18next";
import type { BookingView } from "~/api/schema";
import { ButtonLink } from "~/design";
import { bookingLinks } from "../bookings/links";
import { insteadHref } from "./instead";
import { useWaitlist } from "./useWaitlist";

export function BetterLink({ booking }: { booking: BookingView }) {
  const { t } = useTranslation("shop");
  const resourceId = booking.lines[0]?.resource_id ?? "";
  const list = useWaitlist(resourceId);
  if (list?.exchange !== "free" || booking.state === "cancelled") return null;
  if (bookingLinks.ofPage() !== null) return null;
  return (
    <ButtonLink kind="quiet" href={insteadHref(resourceId, booking.id)}>
      {t("booking.better")}
    </ButtonLink>
  );
}
