// What was booked of a hold by whoever came by the link of a mail: its booking has a link of its own, which
// this tab then has too.
import { useQuery } from "@tanstack/react-query";
import { bookingLinks } from "../bookings/links";
import { useShop } from "../session";
import { entryLinks } from "./links";

/** Asks for the booking, once there is one and where this page came by a link. `data` is its id. */
export function useBookingByLink(holdId: string, isBooked: boolean) {
  const { api } = useShop();
  return useQuery({
    queryKey: ["booking-by-link", holdId],
    enabled: isBooked && (entryLinks.ofPage() ?? bookingLinks.ofPage()) !== null,
    queryFn: async () => {
      const path = { hold_id: holdId };
      const { booking_id: id, link } = await api.GET("/v1/holds/{hold_id}/booking", { path });
      if (link !== null) bookingLinks.keep([[id, link]]);
      return id;
    },
  });
}
