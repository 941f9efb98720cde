// The appointments' part of the shop: teams in a list, one team with its free times, and what the checkout and a
// booking say about an appointment. All of it is loaded when a page needs it, with the words of one language.
import { Suspense } from "react";
import type { BookingView, Resource } from "~/api/schema";
import type { ShopVertical, ShownLine } from "../verticals";
import { PageWait } from "../shell/Page";
import { worded } from "../worded";
import { AppointmentsLink } from "./AppointmentsLink";
import { appointmentHref, hasTeams } from "./onSale";
import { PAGES, WORDS } from "./pages";

const TeamsPage = worded(WORDS, PAGES["/appointments"]);
const TeamPage = worded(WORDS, PAGES["/appointments/:team"]);
const ChangePage = worded(WORDS, PAGES["/appointments/:team/change/:booking"]);
const Summary = worded(WORDS, () => import("./TeamSummary"));
const Heading = worded(WORDS, () => import("./TeamHeading"));
const Lines = worded(WORDS, () => import("./AppointmentLines"));
const AppointmentBooking = worded(WORDS, () => import("./AppointmentBooking"));

/** The rest of the page does not wait for its head. */
function TeamHeading({ resource }: { resource: Resource }) {
  return (
    <Suspense fallback={<div className="skeleton" style={{ blockSize: "6rem" }} />}>
      <Heading resource={resource} />
    </Suspense>
  );
}

function TeamSummary({ resource }: { resource: Resource }) {
  return (
    <Suspense fallback={<div className="skeleton" style={{ blockSize: "5rem" }} />}>
      <Summary resource={resource} />
    </Suspense>
  );
}

function AppointmentLines(of: { resource: Resource; lines: readonly ShownLine[] }) {
  return (
    <Suspense fallback={<div className="skeleton" style={{ blockSize: "4rem" }} />}>
      <Lines {...of} />
    </Suspense>
  );
}

function BookingPart(of: { booking: BookingView; resource: Resource }) {
  return (
    <Suspense fallback={null}>
      <AppointmentBooking {...of} />
    </Suspense>
  );
}

function Teams() {
  return (
    <Suspense fallback={<PageWait />}>
      <TeamsPage />
    </Suspense>
  );
}

export const vertical: ShopVertical = {
  routes: [
    { path: "/", page: Teams, load: TeamsPage.bring },
    { path: "/appointments", page: Teams, load: TeamsPage.bring },
    {
      path: "/appointments/:team",
      page: ({ params: { team = "" } }) => <TeamPage key={team} teamId={team} />,
      load: TeamPage.bring,
    },
    {
      path: "/appointments/:team/change/:booking",
      page: ({ params: { team = "", booking = "" } }) => (
        <ChangePage key={booking} teamId={team} bookingId={booking} />
      ),
      load: ChangePage.bring,
    },
  ],
  isOpen: hasTeams,
  comesLast: true,
  HeaderSlot: AppointmentsLink,
  kinds: ["appointments"],
  ResourceHeading: TeamHeading,
  ResourceSummary: TeamSummary,
  Lines: AppointmentLines,
  BookingPart,
  againHref: appointmentHref,
};
