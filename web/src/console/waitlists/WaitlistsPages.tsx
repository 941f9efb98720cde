// The waitlists of the console. One entry, so that its words are loaded once for all of its pages.
import { useTranslation } from "react-i18next";
import { Redirect, Route, Switch } from "wouter";
import { Skeleton } from "~/design";
import "../programme/programme.css";
import { ListPage } from "./ListPage";
import { ListsPage } from "./ListsPage";
import { NewListPage } from "./NewListPage";
import "./waitlists.css";

export default function WaitlistsPages() {
  // The words of what chooses shows are those of waiting rooms.
  const { ready } = useTranslation(["waitlists", "waiting_rooms"]);
  if (!ready) return <Skeleton height="24rem" />;
  return (
    <Switch>
      <Route path="/console/waitlists" component={ListsPage} />
      <Route path="/console/waitlists/new" component={NewListPage} />
      <Route path="/console/waitlists/:list">
        {({ list }) => <ListPage key={list} id={list} />}
      </Route>
      <Redirect to="/console/waitlists" replace />
    </Switch>
  );
}
