// The console: login, frame and routes. Pages are loaded lazily. When a session ends, the login
// replaces the page and then returns to it.
import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Route, Switch } from "wouter";
import { ButtonLink, ErrorNote, Spinner } from "~/design";
import { Login } from "./Login";
import { PageHead } from "./parts";
import { resume, useSession } from "./session";
import { Shell } from "./Shell";
import "./console.css";
import "./parts/pieces.css";
import "./tables.css";

const TodayPage = lazy(() => import("./today/TodayPage"));
const ShowsPage = lazy(() => import("./shows/ShowsPage"));
const ShowPage = lazy(() => import("./shows/ShowPage"));
const BookingsPage = lazy(() => import("./bookings/BookingsPage"));
const BookingPage = lazy(() => import("./bookings/BookingPage"));
const WorkPage = lazy(() => import("./work/WorkPage"));
const EndpointPage = lazy(() => import("./work/EndpointPage"));
const AdvicePage = lazy(() => import("./advice/AdvicePage"));
const ImportPage = lazy(() => import("./imports/ImportPage"));
const RoomsPage = lazy(() => import("~/editor/Rooms"));
const EditorPage = lazy(() => import("~/editor/Editor"));
const AuditLogPage = lazy(() => import("./auditLog/AuditLogPage"));
const KeysPage = lazy(() => import("./keys/KeysPage"));

export function Console() {
  const session = useSession();
  const queries = useQueryClient();
  const isIn = session.is === "in";
  useEffect(() => {
    void resume();
  }, []);
  useEffect(() => {
    // Cached data of one operator is not shown to the next.
    if (!isIn) queries.clear();
  }, [isIn, queries]);
  if (session.is === "unknown") return <Loading />;
  if (session.is === "away") {
    return (
      <main className="console-alone">
        <ErrorNote error={session.error} onRetry={() => void resume()} />
      </main>
    );
  }
  if (session.is === "out") return <Login because={session.because} />;
  return (
    <Suspense fallback={<Loading />}>
      <Switch>
        {/* The editor has the whole window, and a head of its own. */}
        <Route path="/console/editor" component={EditorPage} />
        <Route>
          <Shell
            name={session.session.name}
            scopes={session.session.scopes}
            pretendMoney={session.session.pretend_money}
          >
            <Suspense fallback={<Loading />}>
              <ConsolePages />
            </Suspense>
          </Shell>
        </Route>
      </Switch>
    </Suspense>
  );
}

function ConsolePages() {
  return (
    <Switch>
      <Route path="/console" component={TodayPage} />
      <Route path="/console/shows" component={ShowsPage} />
      <Route path="/console/shows/:resource">
        {({ resource }) => <ShowPage key={resource} id={resource} />}
      </Route>
      <Route path="/console/bookings" component={BookingsPage} />
      <Route path="/console/bookings/:booking">
        {({ booking }) => <BookingPage key={booking} id={booking} />}
      </Route>
      <Route path="/console/work" component={WorkPage} />
      <Route path="/console/work/webhooks/:endpoint">
        {({ endpoint }) => <EndpointPage key={endpoint} id={endpoint} />}
      </Route>
      <Route path="/console/advice" component={AdvicePage} />
      <Route path="/console/rooms" component={RoomsPage} />
      <Route path="/console/import" component={ImportPage} />
      <Route path="/console/keys" component={KeysPage} />
      <Route path="/console/audit-log" component={AuditLogPage} />
      <Route component={ConsoleNotFound} />
    </Switch>
  );
}

function Loading() {
  return (
    <div className="console-alone console-waiting">
      <Spinner />
    </div>
  );
}

function ConsoleNotFound() {
  const { t } = useTranslation("console");
  return (
    <>
      <PageHead title={t("not_found.title")} lead={t("not_found.text")} />
      <div>
        <ButtonLink href="/console">{t("not_found.home")}</ButtonLink>
      </div>
    </>
  );
}
