// The stays' part of the shop: the search, a listing with its calendar, and what the checkout and a booking say
// about a stay. All of it is loaded when a page needs it, with the words of one language.
import { Suspense } from "react";
import type { ShopVertical } from "../verticals";
import { HeaderLink } from "../shell/HeaderLink";
import { PageWait } from "../shell/Page";
import { standIn } from "../standIn";
import { worded } from "../worded";
import { anyStays, hasStays, stayHref } from "./onSale";
import { CHANGE_WORDS, PAGES, WORDS } from "./pages";

const StaysPage = worded(WORDS, PAGES["/stays"]);
const ListingPage = worded(WORDS, PAGES["/stays/:listing"]);
const ChangePage = worded([WORDS, CHANGE_WORDS], PAGES["/stays/:listing/change/:booking"]);
const Heading = worded(WORDS, () => import("./StayHeading"));
const Summary = worded(WORDS, () => import("./StaySummary"));
const StayBooking = worded(WORDS, () => import("./StayBooking"));

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
      page: ({ params: { booking = "" } }) => <ChangePage key={booking} bookingId={booking} />,
      load: ChangePage.bring,
    },
  ],
  isOpen: hasStays,
  HeaderSlot: () => <HeaderLink href="/stays" icon="bed" name="stays" isAny={anyStays} />,
  kinds: ["stay"],
  // The rest of the page does not wait for its head.
  ResourceHeading: standIn(Heading, "6rem"),
  ResourceSummary: standIn(Summary, "6rem"),
  BookingPart: standIn(StayBooking, null),
  againHref: stayHref,
};
