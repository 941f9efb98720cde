// The waiting background work.
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Badge, ErrorNote, Skeleton } from "~/design/Feedback";
import type { WorkItem } from "../types";
import { Panel } from "../parts/PageHead";
import { api } from "../session";

const REFRESH_MS = 4000;

export function useWork() {
  return useQuery({
    queryKey: ["work"],
    queryFn: () => api.GET("/v1/overview/work"),
    refetchInterval: REFRESH_MS,
  });
}

export function WaitingWork() {
  const { t } = useTranslation("console");
  const work = useWork();
  return (
    <Panel
      title={t("work.short")}
      actions={
        <Link href="/console/work" className="console-link">
          {t("work.open")}
        </Link>
      }
    >
      {work.error && !work.data ? (
        <ErrorNote error={work.error} onRetry={() => void work.refetch()} />
      ) : (
        <ul role="list" className="console-worklist">
          {work.data?.items.map((item) => (
            <li key={item.name}>
              <span>{t(`work.names.${item.name}`, item.name)}</span>
              <WorkState item={item} />
            </li>
          )) ?? <Skeleton height="9rem" />}
        </ul>
      )}
    </Panel>
  );
}

export function WorkState({ item }: { item: WorkItem }) {
  const { t } = useTranslation("console");
  if (item.failed > 0) {
    return <Badge tone="bad">{t("work.failed", { count: item.failed })}</Badge>;
  }
  if (item.overdue > 0) {
    return <Badge tone="warn">{t("work.overdue", { count: item.overdue })}</Badge>;
  }
  if (item.waiting > 0) {
    return <Badge>{t("work.waiting", { count: item.waiting })}</Badge>;
  }
  return <Badge tone="good">{t("work.all_done")}</Badge>;
}
