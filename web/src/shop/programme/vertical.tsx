// The programme's part of the shop: events in a list and in a calendar, one event with its dates, and
// what the pages of the sale say about a date. All of it is loaded when a page needs it, with the words
// of one language.
import { Suspense } from "react";
import type { Resource } from "~/api/schema";
import type { ShopVertical } from "../verticals";
import { PageWait } from "../shell/Page";
import { worded } from "../worded";
import { EventsLink } from "./EventsLink";
import { PAGES, WORDS } from "./pages";
import { hasEvents, isPerformanceCalledOff } from "./onSale";

const EventsPage = worded(WORDS, PAGES["/events"]);
const EventPage = worded(WORDS, PAGES["/events/:production"]);
const Heading = worded(WORDS, () => import("./PerformanceHeading"));
const Summary = worded(WORDS, () => import("./PerformanceSummary"));

/** The rest of the page does not wait for its head. */
function PerformanceHeading({ resource }: { resource: Resource }) {
  return (
    <Suspense fallback={<div className="skeleton" style={{ blockSize: "8rem" }} />}>
      <Heading resource={resource} />
    </Suspense>
  );
}

function PerformanceSummary({ resource }: { resource: Resource }) {
  return (
    <Suspense fallback={<div className="skeleton" style={{ blockSize: "6rem" }} />}>
      <Summary resource={resource} />
    </Suspense>
  );
}

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
  HeaderSlot: EventsLink,
  kinds: ["performance"],
  ResourceHeading: PerformanceHeading,
  ResourceSummary: PerformanceSummary,
  isCalledOff: isPerformanceCalledOff,
};
