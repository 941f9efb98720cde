// The events of the console: what is put on, when and where. One entry, so that its words are loaded
// once for all of its pages.
import { useTranslation } from "react-i18next";
import { Redirect, Route, Switch } from "wouter";
import { Skeleton } from "~/design";
import { DatePage } from "./DatePage";
import { EventPage } from "./EventPage";
import { EventsPage } from "./EventsPage";
import { NewDatePage } from "./NewDatePage";
import { NewEventPage } from "./NewEventPage";
import { HallPage } from "./HallPage";
import { NewHallPage } from "./NewHallPage";
import { NewVenuePage } from "./NewVenuePage";
import { VenuePage } from "./VenuePage";
import { VenuesPage } from "./VenuesPage";
import "./programme.css";

export default function ProgrammePages() {
  const { ready } = useTranslation("programme");
  if (!ready) return <Skeleton height="24rem" />;
  return (
    <Switch>
      <Route path="/console/programme" component={EventsPage} />
      <Route path="/console/programme/new" component={NewEventPage} />
      <Route path="/console/programme/events/:event">
        {({ event }) => <EventPage key={event} id={event} />}
      </Route>
      <Route path="/console/programme/events/:event/new-date">
        {({ event }) => <NewDatePage key={event} event={event} />}
      </Route>
      <Route path="/console/programme/dates/:date">
        {({ date }) => <DatePage key={date} id={date} />}
      </Route>
      <Route path="/console/programme/venues" component={VenuesPage} />
      <Route path="/console/programme/venues/new" component={NewVenuePage} />
      <Route path="/console/programme/venues/:venue">
        {({ venue }) => <VenuePage key={venue} id={venue} />}
      </Route>
      <Route path="/console/programme/venues/:venue/new-hall">
        {({ venue }) => <NewHallPage key={venue} venue={venue} />}
      </Route>
      <Route path="/console/programme/halls/:hall">
        {({ hall }) => <HallPage key={hall} id={hall} />}
      </Route>
      <Redirect to="/console/programme" replace />
    </Switch>
  );
}
