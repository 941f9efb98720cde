// Background work, failed refunds and webhook endpoints.
import { useTranslation } from "react-i18next";
import { Loaded } from "~/design";
import { number } from "~/i18n/format";
import type { WorkItem } from "../types";
import { PageHead, When } from "../parts";
import { useWork, WorkState } from "../today/WaitingWork";
import { DeskPanel } from "../desk/DeskPanel";
import { looksAfterAll, useOwnSession } from "../session";
import { Budgets } from "./Budgets";
import { Endpoints } from "./Endpoints";
import { FailedRefunds } from "./FailedRefunds";

export default function WorkPage() {
  const { t } = useTranslation("console");
  const work = useWork();
  const session = useOwnSession();
  const failed = work.data?.items.find((item) => item.name === "refunds")?.failed ?? 0;
  return (
    <>
      <PageHead title={t("work.title")} lead={t("work.lead")} />
      <Loaded of={work} height="16rem">
        {({ items }) => (
          <ul role="list" className="console-works">
            {items.map((item) => (
              <WorkCard key={item.name} item={item} />
            ))}
          </ul>
        )}
      </Loaded>
      {failed > 0 && <FailedRefunds count={failed} />}
      {session?.has_desk && <DeskPanel />}
      {session && looksAfterAll(session) && <Budgets />}
      <Endpoints />
    </>
  );
}

function WorkCard({ item }: { item: WorkItem }) {
  const { t } = useTranslation("console");
  return (
    <li className="console-work">
      <div className="console-work-head">
        <h2>{t(`work.names.${item.name}`, item.name)}</h2>
        <WorkState item={item} />
      </div>
      <p className="console-quiet">{t(`work.about.${item.name}`, "")}</p>
      <p className="console-work-count tabular">
        <strong>{number(item.waiting)}</strong> {t("work.waiting_word")}
        {item.oldest_at && (
          <span className="console-quiet">
            {t("work.since")} <When at={item.oldest_at} />
          </span>
        )}
      </p>
    </li>
  );
}
