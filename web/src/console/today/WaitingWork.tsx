// The waiting background work.
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Badge, Loaded } from "~/design";
import type { WorkItem } from "../types";
import { Panel } from "../parts";
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
      <Loaded of={work} height="9rem">
        {({ items }) => (
          <ul role="list" className="console-worklist">
            {items.map((item) => (
              <li key={item.name}>
                <span>{t(`work.names.${item.name}`, item.name)}</span>
                <WorkState item={item} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Panel>
  );
}

const STATES = [
  ["failed", "bad"],
  ["overdue", "warn"],
  ["waiting", "plain"],
] as const;

/** The worst that is to be said of it. */
export function WorkState({ item }: { item: WorkItem }) {
  const { t } = useTranslation("console");
  const [name, tone] = STATES.find(([one]) => item[one] > 0) ?? (["all_done", "good"] as const);
  const facts = name === "all_done" ? {} : { count: item[name] };
  return <Badge tone={tone}>{t(`work.${name}`, facts)}</Badge>;
}
