// The reference of the API: frame and pages. An address of its own for each call, error and object.
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, Redirect, Route, Router, Switch, useLocation } from "wouter";
import { ButtonLink, Dialog, Icon, Loaded, LocaleSwitch, ThemeSwitch } from "~/design";
import { idOf } from "./book/book";
import { CallPage } from "./pages/CallPage";
import { ErrorPage } from "./pages/ErrorPage";
import { ErrorsPage } from "./pages/ErrorsPage";
import { ObjectPage } from "./pages/ObjectPage";
import { ObjectsPage } from "./pages/ObjectsPage";
import { StartPage } from "./pages/StartPage";
import { Contents } from "./parts/Contents";
import { Search } from "./parts/Search";
import { BookContext, useBook, useLoadedBook, useReading } from "./useBook";
import "./docs.css";
import "./code.css";

const BASE = "/docs";

export function Docs() {
  const book = useLoadedBook();
  return (
    <Router base={BASE}>
      <BookContext.Provider value={book}>
        <Frame />
      </BookContext.Provider>
    </Router>
  );
}

function Frame() {
  const { t } = useTranslation("docs");
  const { t: common } = useTranslation("design");
  const [isListed, setIsListed] = useState(false);
  const [path] = useLocation();
  const isHere = useReading().data !== undefined;
  const namesField = useNamesField();
  return (
    <div className="docs-frame">
      <a className="skip-link" href="#content">
        {common("skip")}
      </a>
      <header className="docs-head">
        <Link href="/" className="docs-home">
          Bespeak <span>{t("api")}</span>
        </Link>
        <Search />
        <div className="docs-switches">
          <LocaleSwitch />
          <ThemeSwitch />
          <button
            type="button"
            className="button docs-list"
            data-kind="bare"
            onClick={() => setIsListed(true)}
            aria-label={t("contents")}
          >
            <Icon name="more" />
          </button>
        </div>
      </header>
      <aside className="docs-side">
        <Contents />
      </aside>
      <Dialog open={isListed} title={t("contents")} onClose={() => setIsListed(false)}>
        <Contents onGo={() => setIsListed(false)} />
      </Dialog>
      <main id="content" className="docs-main" tabIndex={-1}>
        <Pages namesField={namesField} />
        {/* Again when the field that the address names is there; else the reader may have gone on. */}
        <Arrival key={namesField ? `${path} ${isHere}` : path} />
      </main>
    </div>
  );
}

/** Whether the address named a part of the page when the reader came to it. What it names later, the
    reader chose on this page, and has gone to. */
function useNamesField(): boolean {
  const [path] = useLocation();
  const [came, setCame] = useState({ path, namesField: location.hash !== "" });
  if (came.path === path) return came.namesField;
  const now = { path, namesField: location.hash !== "" };
  setCame(now);
  return now.namesField;
}

/** The first page is there before the book is, unless its address says where to go on to. */
function Pages({ namesField }: { namesField: boolean }) {
  const reading = useReading();
  const [path] = useLocation();
  if (path === "/" && !namesField) return <StartPage />;
  if (reading.data !== undefined) return <BookPages />;
  return (
    <div className="docs-page">
      <Loaded of={reading} height="60vh" />
    </div>
  );
}

function BookPages() {
  const { calls, errors, objects } = useBook();
  return (
    <Switch>
      <Route path="/">
        <OldLink />
        <StartPage />
      </Route>
      <Route path="/errors" component={ErrorsPage} />
      <Route path="/errors/:code">
        {({ code }) => {
          const error = errors.find((one) => one.code === code);
          return error === undefined ? <NotFound /> : <ErrorPage error={error} />;
        }}
      </Route>
      <Route path="/objects" component={ObjectsPage} />
      <Route path="/objects/:name">
        {({ name }) => {
          const object = objects.find((one) => one.name === name);
          return object === undefined ? <NotFound /> : <ObjectPage object={object} />;
        }}
      </Route>
      <Route path="/calls/:id">
        {({ id }) => {
          const call = calls.find((one) => one.id === id);
          if (call !== undefined) return <CallPage key={id} call={call} />;
          // By its name in the document: place_hold.
          const named = calls.find((one) => one.id === idOf(id));
          return named === undefined ? (
            <NotFound />
          ) : (
            <Redirect to={`/calls/${named.id}`} replace />
          );
        }}
      </Route>
      <Route component={NotFound} />
    </Switch>
  );
}

/** The `type` of a problem is `/docs#unit_taken`: it leads to the page of its code. */
function OldLink() {
  const { errors } = useBook();
  const code = location.hash.slice(1);
  return errors.some((one) => one.code === code) ? (
    <Redirect to={`/errors/${code}`} replace />
  ) : null;
}

/** Shows what was gone to, once its page is there: the field that the address names, or the beginning. */
function Arrival() {
  useEffect(() => {
    arrive();
    globalThis.addEventListener("hashchange", arrive);
    return () => globalThis.removeEventListener("hashchange", arrive);
  }, []);
  return null;
}

function arrive(): void {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (const one of document.querySelectorAll("[data-arrived]"))
    one.removeAttribute("data-arrived");
  named?.setAttribute("data-arrived", "");
  if (named === null) globalThis.scrollTo(0, 0);
  else named.scrollIntoView({ block: "center" });
}

function NotFound() {
  const { t } = useTranslation("docs");
  return (
    <div className="docs-page">
      <h1>{t("not_found")}</h1>
      <p>{t("not_found_text")}</p>
      <div>
        <ButtonLink href="/">{t("start.nav")}</ButtonLink>
      </div>
    </div>
  );
}
