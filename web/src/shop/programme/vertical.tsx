// The programme's part of the shop: events in a list and in a calendar, one event with its dates, and
// what the pages of the sale say about a date. All of it is loaded when a page needs it, with the words
// of one language.
import i18next from "i18next";
import { Suspense, type ComponentType } from "react";
import type { Resource } from "~/api/schema";
import { preferredLocale, readWords } from "~/i18n/locale";
import { part } from "../part";
import type { ShopVertical } from "../verticals";
import { PageWait } from "../shell/Page";
import { EventsLink } from "./EventsLink";
import { PAGES } from "./pages";
import { hasEvents, isPerformanceCalledOff } from "./onSale";

const WORDS = "shop_events";

/** A part of the pages, which comes together with its words. */
function worded<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return part<Props>(async () => {
    const [found] = await Promise.all([load(), loadWords()]);
    return found;
  });
}

/** The page may be here before there is anything to show its words. */
async function loadWords(): Promise<void> {
  if (!i18next.isInitialized) {
    await readWords(preferredLocale(), WORDS);
    if (!i18next.isInitialized) await new Promise((done) => i18next.on("initialized", done));
  }
  await i18next.loadNamespaces(WORDS);
}

const EventsPage = worded(PAGES["/events"]);
const EventPage = worded(PAGES["/events/:production"]);
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
