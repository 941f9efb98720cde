// The appointments of the console: teams, and the agenda of each. One entry, so that its words are
// loaded once for all of its pages.
import { useTranslation } from "react-i18next";
import { Redirect, Route, Switch } from "wouter";
import { Skeleton } from "~/design";
import { useMay } from "../session";
import { AgendaPage } from "./AgendaPage";
import { NewTeamPage } from "./NewTeamPage";
import { TeamPage } from "./TeamPage";
import { TeamsPage } from "./TeamsPage";
import "../programme/programme.css";
import "./appointments.css";

export default function AppointmentsPages() {
  // Terms, places and translations are in the words of the programme.
  const { ready } = useTranslation(["appointments", "programme"]);
  const mayManage = useMay("manage");
  if (!ready) return <Skeleton height="24rem" />;
  return (
    <Switch>
      <Route path="/console/appointments" component={TeamsPage} />
      {mayManage && <Route path="/console/appointments/new" component={NewTeamPage} />}
      {mayManage && (
        <Route path="/console/appointments/:team">
          {({ team }) => <TeamPage key={team} id={team} />}
        </Route>
      )}
      <Route path="/console/appointments/:team/agenda">
        {({ team }) => <AgendaPage key={team} id={team} />}
      </Route>
      <Redirect to="/console/appointments" replace />
    </Switch>
  );
}
