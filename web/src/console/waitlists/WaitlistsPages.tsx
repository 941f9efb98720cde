// The waitlists of the console. One entry, so that its words are loaded once for all of its pages.
import { useTranslation } from "react-i18next";
import { Redirect, Route, Switch } from "wouter";
import { Skeleton } from "~/design";
import { ListPage } from "./ListPage";
import { ListsPage } from "./ListsPage";
import "./waitlists.css";

export default function WaitlistsPages() {
  const { ready } = useTranslation("waitlists");
  if (!ready) return <Skeleton height="24rem" />;
  return (
    <Switch>
      <Route path="/console/waitlists" component={ListsPage} />
      <Route path="/console/waitlists/:list">
        {({ list }) => <ListPage key={list} id={list} />}
      </Route>
      <Redirect to="/console/waitlists" replace />
    </Switch>
  );
}
