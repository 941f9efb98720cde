// The programme's part of the shop: events in a list and in a calendar, one event with its dates, and
// what the pages of the sale say about a date. All of it is loaded when a page needs it, with the words
// of one language.
import i18next from "i18next";
import { lazy, Suspense, type ComponentType } from "react";
import type { Resource } from "~/api/schema";
import { preferredLocale, readWords } from "~/i18n/locale";
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

const loadEvents = () => import("./EventsPage");
const loadEvent = () => import("./EventPage");
const EventsPage = worded(loadEvents);
const EventPage = worded(loadEvent);
const Heading = worded(() => import("./PerformanceHeading"));
const Summary = worded(() => import("./PerformanceSummary"));

/** The words are read again, with the page, once the library is there that shows them. */
function ahead(load: () => Promise<unknown>) {
  return () => Promise.all([load(), readWords(preferredLocale(), WORDS)]);
}

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
    { path: "/", page: Events, load: ahead(loadEvents) },
    { path: "/events", page: Events, load: ahead(loadEvents) },
    {
      path: "/events/:production",
      page: ({ params }) => <EventPage productionId={params["production"] ?? ""} />,
      load: ahead(loadEvent),
    },
  ],
  isOpen: hasEvents,
  HeaderSlot: EventsLink,
  kinds: ["performance"],
  ResourceHeading: PerformanceHeading,
  ResourceSummary: PerformanceSummary,
  isCalledOff: isPerformanceCalledOff,
};
