// The console: login, frame and routes. Pages are loaded lazily. When a session ends, the login
// replaces the page and then returns to it.
import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Redirect, Route, Switch, useRoute } from "wouter";
import type { ConsoleSessionView } from "~/api/internal";
import { ButtonLink, ErrorNote, Spinner } from "~/design";
import { Login } from "./Login";
import { PageHead } from "./parts";
import { ProofDialog } from "./ProofDialog";
import { SetUpPage } from "./SetUpPage";
import { resume, scansOnly, useSession } from "./session";
import { Shell } from "./Shell";
import "./console.css";
import "./parts/pieces.css";
import "./tables.css";

const TodayPage = lazy(() => import("./today/TodayPage"));
const ShowsPage = lazy(() => import("./shows/ShowsPage"));
const ShowPage = lazy(() => import("./shows/ShowPage"));
const ProgrammePages = lazy(() => import("./programme/ProgrammePages"));
const BoardPage = lazy(() => import("./board/BoardPage"));
const StaysPages = lazy(() => import("./stays/StaysPages"));
const CinemaPages = lazy(() => import("./cinema/CinemaPages"));
const AppointmentsPages = lazy(() => import("./appointments/AppointmentsPages"));
const StartPage = lazy(() => import("./start/StartPage"));
const BookingsPage = lazy(() => import("./bookings/BookingsPage"));
const BookingPage = lazy(() => import("./bookings/BookingPage"));
const WorkPage = lazy(() => import("./work/WorkPage"));
const WaitingRoomsPages = lazy(() => import("./waitingRooms/WaitingRoomsPages"));
const WaitlistsPages = lazy(() => import("./waitlists/WaitlistsPages"));
const EndpointPage = lazy(() => import("./work/EndpointPage"));
const AdvicePage = lazy(() => import("./advice/AdvicePage"));
const ImportPage = lazy(() => import("./imports/ImportPage"));
const RoomsPage = lazy(() => import("~/editor/Rooms"));
const EditorPage = lazy(() => import("~/editor/Editor"));
const AuditLogPage = lazy(() => import("./auditLog/AuditLogPage"));
const OutboxPage = lazy(() => import("./outbox/OutboxPage"));
const MailPage = lazy(() => import("./outbox/MailPage"));
const AccountPage = lazy(() => import("./account/AccountPage"));
const OperatorsPage = lazy(() => import("./operators/OperatorsPage"));
const MailsPage = lazy(() => import("./mails/MailsPage"));
const PaymentProviderPage = lazy(() => import("./paymentProvider/PaymentProviderPage"));
const ShopSettingsPage = lazy(() => import("./merchant/ShopSettingsPage"));
const KeysPage = lazy(() => import("./keys/KeysPage"));
const ReportsPage = lazy(() => import("./reports/ReportsPage"));
const ScannerPage = lazy(() => import("./scanner/ScannerPage"));

export function Console() {
  const session = useSession();
  const queries = useQueryClient();
  const isIn = session.is === "in";
  const [isSetUp] = useRoute("/console/set-up");
  const [isScanner] = useRoute("/console/scanner/*?");
  useEffect(() => {
    void resume();
  }, []);
  useEffect(() => {
    // Cached data of one operator is not shown to the next.
    if (!isIn) queries.clear();
  }, [isIn, queries]);
  if (isSetUp) return <SetUpPage />;
  if (session.is === "unknown") return <Loading />;
  // Without a network whoever was logged in here goes on scanning; the pages of others need the server.
  const right = session.is === "away" && isScanner ? session.right : null;
  if (session.is === "away" && right === null) {
    return (
      <main className="console-alone">
        <ErrorNote error={session.error} onRetry={() => void resume()} />
      </main>
    );
  }
  if (session.is === "out") return <Login because={session.because} />;
  const own = session.is === "in" ? session.session : null;
  const isAlone = own === null ? right?.isAlone === true : scansOnly(own.scopes);
  return (
    <Suspense fallback={<Loading />}>
      <ProofDialog />
      <Switch>
        {/* The editor and the scanner have the whole window, and a head of their own. */}
        <Route path="/console/editor" component={EditorPage} />
        <Route path="/console/scanner/*?">
          <ScannerPage isAlone={isAlone} />
        </Route>
        {isAlone && <Redirect to="/console/scanner" replace />}
        <Route>{own !== null && <Framed session={own} />}</Route>
      </Switch>
    </Suspense>
  );
}

function Framed({ session }: { session: ConsoleSessionView }) {
  return (
    <Shell
      name={session.name}
      scopes={session.scopes}
      pretendMoney={session.pretend_money}
      hasOutbox={session.has_outbox}
      hasAccount={session.operator_id !== null}
    >
      <Suspense fallback={<Loading />}>
        <ConsolePages />
      </Suspense>
    </Shell>
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
      <Route path="/console/programme/*?" component={ProgrammePages} />
      <Route path="/console/cinema/*?" component={CinemaPages} />
      <Route path="/console/stays/board" component={BoardPage} />
      <Route path="/console/stays/*?" component={StaysPages} />
      <Route path="/console/appointments/*?" component={AppointmentsPages} />
      <Route path="/console/start" component={StartPage} />
      <Route path="/console/bookings" component={BookingsPage} />
      <Route path="/console/bookings/:booking">
        {({ booking }) => <BookingPage key={booking} id={booking} />}
      </Route>
      <Route path="/console/waiting-rooms/*?" component={WaitingRoomsPages} />
      <Route path="/console/waitlists/*?" component={WaitlistsPages} />
      <Route path="/console/work" component={WorkPage} />
      <Route path="/console/work/webhooks/:endpoint">
        {({ endpoint }) => <EndpointPage key={endpoint} id={endpoint} />}
      </Route>
      <Route path="/console/reports" component={ReportsPage} />
      <Route path="/console/advice" component={AdvicePage} />
      <Route path="/console/rooms" component={RoomsPage} />
      <Route path="/console/import" component={ImportPage} />
      <Route path="/console/shop-settings" component={ShopSettingsPage} />
      <Route path="/console/mails" component={MailsPage} />
      <Route path="/console/payment-provider" component={PaymentProviderPage} />
      <Route path="/console/keys" component={KeysPage} />
      <Route path="/console/operators" component={OperatorsPage} />
      <Route path="/console/account" component={AccountPage} />
      <Route path="/console/audit-log" component={AuditLogPage} />
      <Route path="/console/outbox" component={OutboxPage} />
      <Route path="/console/outbox/:mail">{({ mail }) => <MailPage key={mail} id={mail} />}</Route>
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
