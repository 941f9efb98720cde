// An audit of the show: a recount from its holds and bookings.
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Button, ErrorNote, Icon, Note, Skeleton } from "~/design";
import { number } from "~/i18n/format";
import { Panel } from "../parts";
import { api } from "../session";

export function AuditPanel({ resource }: { resource: string }) {
  const { t } = useTranslation("console");
  const audit = useQuery({
    queryKey: ["show", resource, "audit"],
    queryFn: () =>
      api.GET("/v1/resources/{resource_id}/audit", {
        path: { resource_id: resource },
      }),
  });
  const counts = audit.data;
  return (
    <Panel
      title={t("audit.title")}
      lead={t("audit.lead")}
      actions={
        <Button
          kind="quiet"
          size="small"
          busy={audit.isFetching && audit.data === undefined}
          onClick={() => void audit.refetch()}
        >
          {t("audit.again")}
        </Button>
      }
    >
      {audit.error && <ErrorNote error={audit.error} onRetry={() => void audit.refetch()} />}
      {counts === undefined ? (
        !audit.error && <Skeleton height="5rem" />
      ) : (
        <>
          <p className="console-verdict" data-tone={counts.double_sold === 0 ? "good" : "bad"}>
            <Icon name={counts.double_sold === 0 ? "shield" : "warning"} />
            <strong className="tabular">{number(counts.double_sold)}</strong>
            <span>{t("audit.double_sold")}</span>
          </p>
          <dl className="console-pairs">
            {(["sold", "held", "blocked", "free"] as const).map((name) => (
              <div key={name}>
                <dt>{t(`audit.${name}`)}</dt>
                <dd className="tabular">
                  {counts[name] === null ? t("audit.without_end") : number(counts[name])}
                </dd>
              </div>
            ))}
          </dl>
          {counts.violations.map((found, at) => (
            <Note key={`${found.problem} ${at}`} tone="bad">
              {[found.problem, found.unit, found.hold_id, found.detail].filter(Boolean).join(" · ")}
            </Note>
          ))}
        </>
      )}
    </Panel>
  );
}
