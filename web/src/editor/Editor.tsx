// The editor as a page: it opens what its address asks for, offers a draft that was left behind, and
// then is the workspace.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useSearch } from "wouter";
import { Button, ButtonLink } from "~/design/Button";
import { ErrorNote, Note, Spinner } from "~/design/Feedback";
import { dateTime } from "~/i18n/format";
import { Problem } from "~/api/client";
import type { SeatsPlan } from "~/seatmap/plan";
import { dropDraft, keptDraft, type Draft } from "./draft";
import { openResource } from "./engine";
import type { Source } from "./state";
import { Workspace } from "./Workspace";
import "./editor.css";
import "./editor-panels.css";
import "./editor-dialogs.css";
import "./editor-phone.css";

type Beginning = {
  readonly plan: SeatsPlan;
  readonly source: Source | null;
  readonly title: string;
  /** Absent: it counts as saved as it is. */
  readonly saved?: SeatsPlan;
};

const EMPTY: SeatsPlan = { type: "seats" };

export default function EditorPage() {
  const { t, ready } = useTranslation("editor");
  const search = useSearch();
  const resource = new URLSearchParams(search).get("resource");
  useEffect(() => {
    if (ready) document.title = t("page");
  }, [t, ready]);
  if (!ready) return <Loading />;
  return <Addressed resource={resource} />;
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
  const write = (id: string | null) => {
    own.current = id;
    go(id === null ? "/console/editor" : `/console/editor?resource=${encodeURIComponent(id)}`, {
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

function Opening({
  address,
  onAddress,
}: {
  address: string | null;
  onAddress: (id: string | null) => void;
}) {
  const [resource] = useState(address);
  const { t } = useTranslation("editor");
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
  if (opened.error) {
    const isOther = opened.error instanceof Problem && opened.error.code === "no_seat_map";
    return (
      <main className="editor-alone">
        {isOther ? (
          <Note tone="warn">{t("open.no_seat_map")}</Note>
        ) : (
          <ErrorNote error={opened.error} onRetry={() => void opened.refetch()} />
        )}
        <ButtonLink href="/console/rooms" kind="quiet">
          {t("back")}
        </ButtonLink>
      </main>
    );
  }
  if (draft !== null) {
    return (
      <main className="editor-alone">
        <h1>{t("draft.title")}</h1>
        <p>
          {t("draft.text", {
            when: dateTime(new Date(draft.at)),
            name: draft.title || t("untitled"),
          })}
        </p>
        <div className="editor-row">
          <Button
            onClick={() => {
              setRestored(draft);
              setDraft(null);
            }}
          >
            {t("draft.restore")}
          </Button>
          <Button
            kind="quiet"
            onClick={() => {
              dropDraft();
              setDraft(null);
            }}
          >
            {t("draft.drop")}
          </Button>
        </div>
      </main>
    );
  }
  const beginning = beginningOf(opened.data ?? null, restored);
  const asks = new URLSearchParams(search).get("new") !== null && restored === null;
  return <Workspace beginning={beginning} asksKind={asks} onAddress={onAddress} />;
}

function beginningOf(
  opened: { plan: SeatsPlan; source: Source } | null,
  restored: Draft | null,
): Beginning {
  if (restored !== null) {
    const { plan, source, title } = restored;
    // The version that the draft was made from: if another was saved since, saving says so.
    return { plan, source, title, saved: opened?.plan ?? EMPTY };
  }
  return opened === null
    ? { plan: EMPTY, source: null, title: "" }
    : { plan: opened.plan, source: opened.source, title: opened.source.name };
}
