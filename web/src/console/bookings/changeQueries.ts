// What has to be known before the dates of a stay are changed: its listings, its answers, and what goes back for it.
import { useQueries, useQuery } from "@tanstack/react-query";
import { allOf, type Wanted } from "~/api/allOf";
import type { BookingAnswers, BookingView, Resource } from "~/api/schema";
import { givesAllBack } from "~/shop/bookings/givesAllBack";
import { roomsOf } from "~/shop/stays/changing";
import { api } from "../session";
import { resourceQuery } from "../resources";
import { answersKey, readAnswers } from "./answers";
import { unpaidStay, type StayOfNow } from "./changeSums";

/** The resources of a booking, once all of them are known. */
export function useBookedResources(booking: BookingView): Wanted<readonly Resource[]> {
  return useQueries({
    queries: [...roomsOf(booking).keys()].map(resourceQuery),
    combine: allOf,
  });
}

export function useBookedAnswers(booking: BookingView): Wanted<BookingAnswers> {
  return useQuery({ queryKey: answersKey(booking), queryFn: () => readAnswers(booking) });
}

/** The stay of now, and whether all of its money goes back; a change is by the terms of a cancellation. */
export function useStayOfNow(booking: BookingView): Wanted<StayOfNow & { isAll: boolean }> {
  const { data, error, refetch } = useQuery({
    queryKey: ["refund-quote", booking.id, "change"],
    enabled: booking.payment !== null,
    queryFn: () =>
      api.POST("/v1/bookings/{booking_id}/refund-quote", {
        path: { booking_id: booking.id },
        body: { lines: null },
      }),
  });
  if (booking.payment === null) {
    return { data: { ...unpaidStay(booking), isAll: true }, error: null, refetch };
  }
  const stay = data && { isPaid: true, amount: data.amount, isAll: givesAllBack(data, booking) };
  return { data: stay, error, refetch };
}
