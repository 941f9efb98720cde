// The stays' part of the shop: the search, a listing with its calendar, and what the checkout and a booking say
// about a stay. All of it is loaded when a page needs it, with the words of one language.
import { Suspense } from "react";
import type { BookingView, Resource } from "~/api/schema";
import type { ShopVertical } from "../verticals";
import { PageWait } from "../shell/Page";
import { worded } from "../worded";
import { hasStays, stayHref } from "./onSale";
import { CHANGE_WORDS, PAGES, WORDS } from "./pages";
import { StaysLink } from "./StaysLink";

const StaysPage = worded(WORDS, PAGES["/stays"]);
const ListingPage = worded(WORDS, PAGES["/stays/:listing"]);
const ChangePage = worded([WORDS, CHANGE_WORDS], PAGES["/stays/:listing/change/:booking"]);
const Heading = worded(WORDS, () => import("./StayHeading"));
const Summary = worded(WORDS, () => import("./StaySummary"));
const StayBooking = worded(WORDS, () => import("./StayBooking"));

/** The rest of the page does not wait for its head. */
function StayHeading({ resource }: { resource: Resource }) {
  return (
    <Suspense fallback={<div className="skeleton" style={{ blockSize: "6rem" }} />}>
      <Heading resource={resource} />
    </Suspense>
  );
}

function StaySummary({ resource }: { resource: Resource }) {
  return (
    <Suspense fallback={<div className="skeleton" style={{ blockSize: "6rem" }} />}>
      <Summary resource={resource} />
    </Suspense>
  );
}

function BookingPart(of: { booking: BookingView; resource: Resource }) {
  return (
    <Suspense fallback={null}>
      <StayBooking {...of} />
    </Suspense>
  );
}

function Stays() {
  return (
    <Suspense fallback={<PageWait />}>
      <StaysPage />
    </Suspense>
  );
}

export const vertical: ShopVertical = {
  routes: [
    { path: "/", page: Stays, load: StaysPage.bring },
    { path: "/stays", page: Stays, load: StaysPage.bring },
    {
      path: "/stays/:listing",
      page: ({ params: { listing = "" } }) => <ListingPage key={listing} listingId={listing} />,
      load: ListingPage.bring,
    },
    {
      path: "/stays/:listing/change/:booking",
      page: ({ params: { listing = "", booking = "" } }) => (
        <ChangePage listingId={listing} bookingId={booking} />
      ),
      load: ChangePage.bring,
    },
  ],
  isOpen: hasStays,
  HeaderSlot: StaysLink,
  kinds: ["stay"],
  ResourceHeading: StayHeading,
  ResourceSummary: StaySummary,
  BookingPart,
  againHref: stayHref,
};
