// The programme's part of the shop: events in a list and in a calendar, one event with its dates, and
// what the pages of the sale say about a date. All of it is loaded when a page needs it, with the words
// of one language.
import { Suspense } from "react";
import type { ShopVertical } from "../verticals";
import { HeaderLink } from "../shell/HeaderLink";
import { PageWait } from "../shell/Page";
import { standIn } from "../standIn";
import { worded } from "../worded";
import { PAGES, WORDS } from "./pages";
import { anyEvents, hasEvents, isPerformanceCalledOff } from "./onSale";

const EventsPage = worded(WORDS, PAGES["/events"]);
const EventPage = worded(WORDS, PAGES["/events/:production"]);
const Heading = worded(WORDS, () => import("./PerformanceHeading"));
const Summary = worded(WORDS, () => import("./PerformanceSummary"));

function Events() {
  return (
    <Suspense fallback={<PageWait />}>
      <EventsPage />
    </Suspense>
  );
}

export const vertical: ShopVertical = {
  routes: [
    { path: "/", page: Events, load: EventsPage.bring },
    { path: "/events", page: Events, load: EventsPage.bring },
    {
      path: "/events/:production",
      page: ({ params }) => <EventPage productionId={params["production"] ?? ""} />,
      load: EventPage.bring,
    },
  ],
  isOpen: hasEvents,
  HeaderSlot: () => <HeaderLink href="/events" icon="shows" name="events" isAny={anyEvents} />,
  kinds: ["performance"],
  // The rest of the page does not wait for its head.
  ResourceHeading: standIn(Heading, "8rem"),
  ResourceSummary: standIn(Summary, "6rem"),
  isCalledOff: isPerformanceCalledOff,
};
