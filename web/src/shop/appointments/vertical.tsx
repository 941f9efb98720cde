// The appointments' part of the shop: teams in a list, one team with its free times, and what the checkout and a
// booking say about an appointment. All of it is loaded when a page needs it, with the words of one language.
import { Suspense } from "react";
import type { ShopVertical } from "../verticals";
import { HeaderLink } from "../shell/HeaderLink";
import { PageWait } from "../shell/Page";
import { standIn } from "../standIn";
import { worded } from "../worded";
import { anyTeams, appointmentHref, hasTeams } from "./onSale";
import { PAGES, WORDS } from "./pages";

const TeamsPage = worded(WORDS, PAGES["/appointments"]);
const TeamPage = worded(WORDS, PAGES["/appointments/:team"]);
const ChangePage = worded(WORDS, PAGES["/appointments/:team/change/:booking"]);
const Part = worded(WORDS, () => import("./TeamParts"));
const Heading = standIn(Part, "6rem");
const Aside = standIn(Part, null);

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
  HeaderSlot: () => (
    <HeaderLink href="/appointments" icon="clock" name="appointments" isAny={anyTeams} />
  ),
  kinds: ["appointments"],
  // The rest of the page does not wait for its head.
  ResourceHeading: (of) => <Heading as="heading" {...of} />,
  ResourceSummary: (of) => <Heading as="summary" {...of} />,
  Lines: (of) => <Heading as="lines" {...of} />,
  BookingPart: (of) => <Aside as="booking" {...of} />,
  againHref: appointmentHref,
  asksPhone: true,
};
