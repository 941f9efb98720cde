// The booking that whoever came from its page would give back for something better, as the address of the form names it.
import { useSearch } from "wouter";
import type { PublicWaitlist } from "~/api/schema";

const NAME = "instead_of";
const BOOKING = /^bkg_[0-9a-z]{26}$/;

export function insteadHref(resourceId: string, bookingId: string): string {
  return `/shows/${resourceId}?${NAME}=${bookingId}`;
}

/** Null where none is named, or the list takes nothing back. */
export function useInstead(list: PublicWaitlist): string | null {
  const named = new URLSearchParams(useSearch()).get(NAME) ?? "";
  return list.exchange === "free" && BOOKING.test(named) ? named : null;
}
