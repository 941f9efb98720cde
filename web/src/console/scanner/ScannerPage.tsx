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
  Note,
  ThemeSwitch,
  useProblemWords,
  useToast,
} from "~/design";
import { ConsoleMark, SearchField, ShowTime } from "../parts";
import { api, logOut, tellWaitingScans } from "../session";
import { GatePage } from "./GatePage";
import { keptGates, type KeptGate } from "./gateShelf";
import { useKeptPage } from "./keptPage";
import { WaitingScans } from "./waitingScans";
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
  const { isError, isPaused, failureCount, data } = entrances;
  const { waiting, refused, kept } = useKept(entrances.dataUpdatedAt);
  useKeptPage();
  const isOffline =
    data === undefined && (isError || isPaused || failureCount > 0) && kept.length > 0;
  return (
    <main className="scanner">
      <header className="scanner-head">
        <ConsoleMark />
        {isAlone ? <LeaveButton /> : <Link href="/console">{t("scanner.leave")}</Link>}
      </header>
      <h1>{t("scanner.choose")}</h1>
      {waiting > 0 && <Note tone="warn">{t("scanner.waiting", { count: waiting })}</Note>}
      {refused > 0 && <Note tone="bad">{t("scanner.late_refused", { count: refused })}</Note>}
      {isOffline ? (
        <KeptEntrances gates={kept} />
      ) : (
        <>
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
        </>
      )}
      <footer className="scanner-foot">
        <LocaleSwitch />
        <ThemeSwitch />
      </footer>
    </main>
  );
}

/** What this device has from before. Each time the server was heard, what waits is told. */
function useKept(heardAt: number) {
  const [refused, setRefused] = useState(0);
  const [waiting, setWaiting] = useState(() => new WaitingScans(null).count);
  const [kept, setKept] = useState<readonly KeptGate[]>([]);
  useEffect(() => {
    let isHere = true;
    void keptGates().then((found) => isHere && setKept(found));
    const tell = async () => {
      // What could not be told waits on.
      const more = heardAt > 0 ? await tellWaitingScans().catch(() => 0) : 0;
      if (!isHere) return;
      setWaiting(new WaitingScans(null).count);
      setRefused((before) => before + more);
    };
    void tell();
    return () => {
      isHere = false;
    };
  }, [heardAt]);
  return { waiting, refused, kept };
}

/** The entrances that this device can scan for without the server. */
function KeptEntrances({ gates }: { gates: readonly KeptGate[] }) {
  const { t } = useTranslation("console");
  return (
    <>
      <Note tone="warn">{t("scanner.kept_entrances")}</Note>
      <ul role="list" className="scanner-entrances">
        {gates.map(({ resource, name, count }) => (
          <li key={resource}>
            <Link href={`/console/scanner/${resource}`} className="scanner-entrance">
              <strong>{name}</strong>
              <span className="console-quiet tabular">{t("scanner.inside", { count })}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
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
