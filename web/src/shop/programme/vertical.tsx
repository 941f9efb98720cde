// The programme's part of the shop: events in a list and in a calendar, one event with its dates, and
// what the pages of the sale say about a date. All of it is loaded when a page needs it, with the words
// of one language.
import i18next from "i18next";
import { lazy, Suspense, type ComponentType } from "react";
import type { Resource } from "~/api/schema";
import type { ShopVertical } from "../verticals";
import { PageWait } from "../shell/Page";
import { EventsLink } from "./EventsLink";
import { hasEvents, isPerformanceCalledOff } from "./onSale";

const WORDS = "shop_events";

/** A part of the pages, which comes together with its words. */
function worded<Props>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy(async () => {
    const [part] = await Promise.all([load(), i18next.loadNamespaces(WORDS)]);
    return part;
  });
}

const EventsPage = worded(() => import("./EventsPage"));
const EventPage = worded(() => import("./EventPage"));
const Heading = worded(() => import("./PerformanceHeading"));
const Summary = worded(() => import("./PerformanceSummary"));

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
    { path: "/", page: Events },
    { path: "/events", page: Events },
    {
      path: "/events/:production",
      page: ({ params }) => <EventPage productionId={params["production"] ?? ""} />,
    },
  ],
  isOpen: hasEvents,
  HeaderSlot: EventsLink,
  kinds: ["performance"],
  ResourceHeading: PerformanceHeading,
  ResourceSummary: PerformanceSummary,
  isCalledOff: isPerformanceCalledOff,
};
