// The shop: session, verticals and routes. Pages are loaded lazily.
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useDeferredValue, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Route, Switch } from "wouter";
import { ErrorNote } from "~/design";
import { fits, PAGES } from "./ahead";
import { ForgetMe } from "./guest/ForgetMe";
import { loadVerticals } from "./loadVerticals";
import { MerchantProvider } from "./merchant/merchant";
import { part } from "./part";
import { SessionProvider, useShop } from "./session";
import { PassLine, usePassGate } from "./PassLine";
import { ErrorBoundary } from "./shell/ErrorBoundary";
import { Footer } from "./shell/Footer";
import { Home } from "./shell/Home";
import { ShopHeader } from "./shell/ShopHeader";
import { NotFound } from "./shell/NotFound";
import { PageWait } from "./shell/Page";
import { useScrollKept } from "./shell/scroll";
import "./shell/shell.css";
import "./shell/header.css";
import { useVerticals, Verticals, type ShopVertical } from "./verticals";
import { worded } from "./worded";

const SeatsPage = part(PAGES["/shows/:show"]);
const PreviewPage = lazy(() => import("./show/PreviewPage"));
const CheckoutPage = part(PAGES["/checkout/:hold"]);
const MyBookingsPage = lazy(() => import("./bookings/MyBookingsPage"));
const MyBookingPage = worded("shop_booking", () => import("./bookings/MyBookingPage"));
const FindBookingsPage = worded("shop_find", () => import("./account/FindBookingsPage"));
const EntryPage = worded("shop_waitlist", () => import("./waitlist/EntryPage"));
const LegalPage = lazy(() => import("./merchant/LegalPage"));
const WaitingPage = worded("shop_waiting", PAGES["/waiting/:room"]);
const WelcomePage = lazy(() => import("./shell/WelcomePage"));

/** The verticals, once the part of the page that is asked for is here too: one wait, not two. */
async function loadShop(names: readonly string[]): Promise<ShopVertical[]> {
  const verticals = await loadVerticals(names);
  const own = [
    { path: "/shows/:show", load: SeatsPage.bring },
    { path: "/checkout/:hold", load: CheckoutPage.bring },
    { path: "/waiting/:room", load: WaitingPage.bring },
  ];
  const path = globalThis.location.pathname;
  const routes = [...verticals.flatMap(({ routes: its }) => its), ...own];
  // What could not be brought is asked for again, and says so, when it is shown.
  await routes
    .find((route) => fits(route.path, path))
    ?.load?.()
    .catch(() => undefined);
  return verticals;
}

export function Shop() {
  return (
    <SessionProvider
      whileOpening={<Frame waiting />}
      whenFailed={(error, retry) => <Frame failure={error} onRetry={retry} />}
    >
      <MerchantProvider waiting={<Frame waiting />}>
        <Installed />
      </MerchantProvider>
    </SessionProvider>
  );
}

function Installed() {
  const { session } = useShop();
  const names = session.verticals.join(" ");
  const loaded = useQuery({
    queryKey: ["verticals", names],
    queryFn: () => loadShop(session.verticals),
    staleTime: Infinity,
  });
  // An answer is shown at once and whole; the first page is too much of it for a slow processor.
  const verticals = useDeferredValue(loaded.data);
  if (loaded.isError) {
    return <Frame failure={loaded.error} onRetry={() => globalThis.location.reload()} />;
  }
  if (verticals === undefined) return <Frame waiting />;
  return (
    <Verticals value={verticals}>
      <ShopPages />
    </Verticals>
  );
}

/** The frame before there is a session, so that nothing jumps. */
function Frame(props: { waiting?: boolean; failure?: unknown; onRetry?: () => void }) {
  return (
    <div className="shop-frame">
      <ShopHeader bare />
      <main id="content" className="shop-main">
        {props.waiting ? (
          <PageWait />
        ) : (
          <div className="shop-page">
            <ErrorNote error={props.failure} {...(props.onRetry && { onRetry: props.onRetry })} />
          </div>
        )}
      </main>
      <Footer />
    </div>
  );
}

function ShopPages() {
  const { t } = useTranslation("design");
  const { session } = useShop();
  const verticals = useVerticals();
  useScrollKept();
  usePassGate();
  const routes = useMemo(
    () => verticals.flatMap(({ routes: own }) => own.filter(({ path }) => path !== "/")),
    [verticals],
  );
  return (
    <div className="shop-frame">
      <a className="skip-link" href="#content">
        {t("skip")}
      </a>
      <ShopHeader />
      <main id="content" className="shop-main" tabIndex={-1}>
        <PassLine />
        <ErrorBoundary>
          <Suspense fallback={<PageWait />}>
            <Switch>
              {routes.map((route) => (
                <Route key={route.path} path={route.path}>
                  {(params) => <route.page params={textParams(params)} />}
                </Route>
              ))}
              <Route path="/shows/:show">
                {({ show }) => <SeatsPage key={show} resourceId={show} />}
              </Route>
              <Route path="/preview" component={PreviewPage} />
              <Route path="/checkout/:hold">
                {({ hold }) => <CheckoutPage key={hold} holdId={hold} />}
              </Route>
              <Route path="/waiting/:room">
                {({ room }) => <WaitingPage key={room} roomId={room} />}
              </Route>
              <Route path="/bookings" component={MyBookingsPage} />
              <Route path="/find-bookings" component={FindBookingsPage} />
              <Route path="/bookings/:booking">
                {({ booking }) => <MyBookingPage key={booking} bookingId={booking} />}
              </Route>
              <Route path="/waitlist/:entry">
                {({ entry }) => <EntryPage key={entry} entryId={entry} />}
              </Route>
              <Route path="/legal/:name">
                {({ name }) => <LegalPage key={name} name={name} />}
              </Route>
              <Route path="/">
                <Home of={verticals} otherwise={<WelcomePage />} />
              </Route>
              <Route>
                <NotFound />
              </Route>
            </Switch>
          </Suspense>
        </ErrorBoundary>
      </main>
      <Footer {...(session.demo && { hasBuildersLinks: true })}>
        <ForgetMe />
      </Footer>
    </div>
  );
}

function textParams(params: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(params)) if (value !== undefined) found[name] = value;
  return found;
}
