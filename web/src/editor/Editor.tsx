// The editor as a page: it opens what its address asks for, offers a draft that was left behind, and
// then is the workspace.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useSearch } from "wouter";
import { Button, ButtonLink, ErrorNote, Note, Spinner } from "~/design";
import { dateTime } from "~/i18n/format";
import { Problem } from "~/api/client";
import { dropDraft, keptDraft, type Draft } from "./draft";
import { openResource } from "./engine";
import { blankAddress, useWanted } from "./keepers/keepers";
import type { Keeper } from "./keepers/keeper";
import { EMPTY } from "./state";
import { Workspace } from "./Workspace";
import "./editor.css";
import "./editor-panels.css";
import "./editor-dialogs.css";
import "./editor-phone.css";

export default function EditorPage() {
  const { t, ready } = useTranslation("editor");
  const search = useSearch();
  const query = new URLSearchParams(search);
  const resource = query.get("resource");
  const { keeper, room } = useWanted();
  useEffect(() => {
    if (ready) document.title = t("page");
  }, [t, ready]);
  if (!ready) return <Loading />;
  if (resource === null && room !== null)
    return <OpeningKept key={room} keeper={keeper} room={room} />;
  return <Addressed resource={resource} />;
}

/** The room of a hall or a screen, which is saved as that one or as another. */
function OpeningKept({ keeper, room }: { keeper: Keeper; room: string }) {
  const [, go] = useLocation();
  const opened = useQuery({
    queryKey: ["editor", keeper.words, room],
    queryFn: () => keeper.open(room),
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    retry: false,
  });
  if (opened.error) return <Failed error={opened.error} onRetry={() => void opened.refetch()} />;
  if (opened.data === undefined) return <Loading />;
  // Another room is drawn for the same one.
  const write = (id: string | null) => {
    if (id !== null) go(`/console/editor?resource=${encodeURIComponent(id)}`, { replace: true });
  };
  return (
    <Workspace beginning={{ ...opened.data, source: null }} asksKind={false} onAddress={write} />
  );
}

/** Another address is another document, unless it is we who wrote it there: after saving as a new
 * resource, or opening a file in place of one. */
function Addressed({ resource }: { resource: string | null }) {
  const [, go] = useLocation();
  const [shown, setShown] = useState({ resource, count: 0 });
  const own = useRef<string | null | undefined>(undefined);
  if (resource !== shown.resource) {
    // oxlint-disable-next-line react/refs -- written in an event, and only compared here
    const isOwn = own.current === resource;
    setShown({ resource, count: shown.count + (isOwn ? 0 : 1) });
  }
  useEffect(() => {
    if (own.current === resource) own.current = undefined;
  }, [resource]);
  const blank = blankAddress(useWanted());
  const write = (id: string | null) => {
    own.current = id;
    go(id === null ? blank : `/console/editor?resource=${encodeURIComponent(id)}`, {
      replace: true,
    });
  };
  return <Opening key={shown.count} address={resource} onAddress={write} />;
}

function Loading() {
  return (
    <main className="editor-alone">
      <Spinner />
    </main>
  );
}

type OpeningProps = { address: string | null; onAddress: (id: string | null) => void };

function Opening({ address, onAddress }: OpeningProps) {
  const [resource] = useState(address);
  const search = useSearch();
  const [draft, setDraft] = useState<Draft | null>(() => {
    const kept = keptDraft();
    return kept !== null && (kept.source?.id ?? null) === resource ? kept : null;
  });
  const [restored, setRestored] = useState<Draft | null>(null);
  const opened = useQuery({
    queryKey: ["editor", "plan", resource],
    queryFn: () => openResource(resource ?? ""),
    enabled: resource !== null,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    retry: false,
  });
  if (resource !== null && opened.isPending) return <Loading />;
  if (opened.error) return <Failed error={opened.error} onRetry={() => void opened.refetch()} />;
  if (draft !== null) {
    const decide = (isWanted: boolean) => {
      if (isWanted) setRestored(draft);
      else dropDraft();
      setDraft(null);
    };
    return <DraftOffer draft={draft} onDecide={decide} />;
  }
  const { plan, source } = opened.data ?? { plan: EMPTY, source: null };
  // A draft keeps the version that it was made from: if another was saved since, saving says so.
  const beginning = restored
    ? { ...restored, saved: plan }
    : { plan, source, title: source?.name ?? "" };
  const asksKind = new URLSearchParams(search).has("new") && restored === null;
  return <Workspace beginning={beginning} asksKind={asksKind} onAddress={onAddress} />;
}

function Failed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { t } = useTranslation("editor");
  return (
    <main className="editor-alone">
      {error instanceof Problem && error.code === "no_seat_map" ? (
        <Note tone="warn">{t("open.no_seat_map")}</Note>
      ) : (
        <ErrorNote error={error} onRetry={onRetry} />
      )}
      <ButtonLink href="/console/rooms" kind="quiet">
        {t("back")}
      </ButtonLink>
    </main>
  );
}

function DraftOffer({ draft, onDecide }: { draft: Draft; onDecide: (isWanted: boolean) => void }) {
  const { t } = useTranslation("editor");
  const words = { when: dateTime(new Date(draft.at)), name: draft.title || t("untitled") };
  return (
    <main className="editor-alone">
      <h1>{t("draft.title")}</h1>
      <p>{t("draft.text", words)}</p>
      <div className="editor-row">
        <Button onClick={() => onDecide(true)}>{t("draft.restore")}</Button>
        <Button kind="quiet" onClick={() => onDecide(false)}>
          {t("draft.drop")}
        </Button>
      </div>
    </main>
  );
}
