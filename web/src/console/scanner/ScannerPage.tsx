// The scanner: first the list of what tickets may be scanned for now, then the gate. It has the whole
// window, since it is used on a phone, standing, by somebody who does nothing else.
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, Route, Switch } from "wouter";
import type { Entrance } from "~/api/schema";
import {
  Button,
  EmptyState,
  Loaded,
  LocaleSwitch,
  ThemeSwitch,
  useProblemWords,
  useToast,
} from "~/design";
import { ConsoleMark, SearchField, ShowTime } from "../parts";
import { api, logOut } from "../session";
import { GatePage } from "./GatePage";
import "./scanner.css";

const REFRESH_MS = 30_000;

export default function ScannerPage({ isAlone }: { isAlone: boolean }) {
  return (
    <Switch>
      <Route path="/console/scanner/:resource">
        {({ resource }) => <GatePage key={resource} id={resource} />}
      </Route>
      <Route>
        <EntrancesPage isAlone={isAlone} />
      </Route>
    </Switch>
  );
}

/** `isAlone`: the scanner is all that this session may see of the console. */
function EntrancesPage({ isAlone }: { isAlone: boolean }) {
  const { t } = useTranslation("console");
  const [text, setText] = useState("");
  const q = useDeferredValue(text.trim());
  const entrances = useQuery({
    queryKey: ["entrances", q],
    queryFn: () => api.GET("/v1/check-ins/entrances", { query: q === "" ? {} : { q } }),
    refetchInterval: REFRESH_MS,
    placeholderData: (before) => before,
  });
  useEffect(() => {
    document.title = `${t("scanner.title")} · ${t("console")}`;
  }, [t]);
  return (
    <main className="scanner">
      <header className="scanner-head">
        <ConsoleMark />
        {isAlone ? <LeaveButton /> : <Link href="/console">{t("scanner.leave")}</Link>}
      </header>
      <h1>{t("scanner.choose")}</h1>
      <SearchField label={t("shows.search")} value={text} onChange={setText} />
      <Loaded of={entrances} height="16rem">
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState title={t("scanner.none")}>{t("scanner.none_text")}</EmptyState>
          ) : (
            <ul role="list" className="scanner-entrances">
              {items.map((one) => (
                <EntranceLink key={one.resource_id} of={one} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <footer className="scanner-foot">
        <LocaleSwitch />
        <ThemeSwitch />
      </footer>
    </main>
  );
}

function EntranceLink({ of }: { of: Entrance }) {
  const { t } = useTranslation("console");
  return (
    <li>
      <Link href={`/console/scanner/${of.resource_id}`} className="scanner-entrance">
        <span className="console-name">
          <strong>{of.name}</strong>
          <ShowTime of={of} />
        </span>
        <span className="console-quiet tabular">
          {t("scanner.inside", { count: of.checked_in })}
        </span>
      </Link>
    </li>
  );
}

function LeaveButton() {
  const { t } = useTranslation("console");
  const tell = useToast();
  const words = useProblemWords();
  return (
    <Button
      kind="quiet"
      size="small"
      onClick={() => void logOut().catch((error: unknown) => tell(words(error)))}
    >
      {t("logout")}
    </Button>
  );
}
