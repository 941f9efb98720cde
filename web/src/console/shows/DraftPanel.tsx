// What is missing before guests can buy of a show that is not published, and the button that publishes.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Resource } from "~/api/schema";
import { Button, ErrorNote, Icon, Skeleton } from "~/design";
import { dateTime } from "~/i18n/format";
import { CopyText, Panel } from "../parts";
import { api } from "../session";
import { PublishButton } from "./PublishSwitch";

export function DraftPanel({ show }: { show: Resource }) {
  const { t } = useTranslation("console");
  const readiness = useQuery({
    queryKey: ["resource", show.id, "readiness", show.version],
    queryFn: () =>
      api.GET("/v1/resources/{resource_id}/readiness", { path: { resource_id: show.id } }),
  });
  const { data } = readiness;
  return (
    <Panel
      className="console-draft"
      title={t("draft.title")}
      lead={data && t(data.ready ? "draft.ready" : "draft.not_ready")}
      actions={<PublishButton show={show} isReady={data?.ready ?? false} />}
    >
      {readiness.error && (
        <ErrorNote error={readiness.error} onRetry={() => void readiness.refetch()} />
      )}
      {data === undefined && !readiness.error && <Skeleton height="4rem" />}
      {data !== undefined && data.missing.length > 0 && (
        <ul className="console-gaps" role="list">
          {data.missing.map(({ code, essential }) => (
            <li key={code} data-essential={essential || undefined}>
              <Icon name={essential ? "warning" : "clock"} />
              <span>
                <strong>{t(`draft.gap.${code}`)}</strong>
                <span className="console-quiet">
                  {t(essential ? "draft.essential" : "draft.advised")}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
      <PreviewLink resource={show.id} />
    </Panel>
  );
}

/** A link that shows the draft to whoever has it. */
function PreviewLink({ resource }: { resource: string }) {
  const { t } = useTranslation("console");
  const link = useMutation({
    mutationFn: () =>
      api.POST("/v1/resources/{resource_id}/preview-links", { path: { resource_id: resource } }),
  });
  if (link.data === undefined)
    return (
      <div className="console-preview">
        <Button kind="quiet" size="small" busy={link.isPending} onClick={() => link.mutate()}>
          {t("draft.preview")}
        </Button>
        {link.isError && <ErrorNote error={link.error} />}
      </div>
    );
  const url = new URL(link.data.path, globalThis.location.origin).href;
  return (
    <div className="console-preview">
      <p className="console-quiet">
        {t("draft.preview_text", { when: dateTime(link.data.expires_at) })}
      </p>
      <CopyText text={url} label={t("draft.preview")} />
      <a href={url} target="_blank" rel="noreferrer">
        {t("draft.preview_open")}
      </a>
    </div>
  );
}
