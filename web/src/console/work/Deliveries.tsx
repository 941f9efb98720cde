// What became of each message to an endpoint; one that failed may be sent again.
import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { answered } from "~/api/client";
import type { WebhookDelivery } from "~/api/schema";
import { Button } from "~/design/Button";
import { useProblemWords } from "~/design/Feedback";
import { useToast } from "~/design/Toasts";
import { DataTable, type Column } from "../parts/DataTable";
import { StateBadge } from "../parts/StateBadge";
import { When } from "../parts/When";
import { api } from "../session";

type DeliveriesProps = {
  endpoint: string;
  pages: {
    readonly rows: readonly WebhookDelivery[] | undefined;
    readonly error: unknown;
    readonly retry: () => void;
    readonly more: { busy: boolean; load: () => void } | null;
  };
};

export function Deliveries({ endpoint, pages }: DeliveriesProps) {
  const { t } = useTranslation("console");
  const columns = useMemo<Column<WebhookDelivery>[]>(
    () => [
      {
        key: "type",
        title: t("deliveries.type"),
        leads: true,
        cell: (delivery) => <code dir="ltr">{delivery.type}</code>,
      },
      {
        key: "state",
        title: t("deliveries.state"),
        cell: (delivery) => <StateBadge state={delivery.state} />,
      },
      {
        key: "at",
        title: t("deliveries.at"),
        cell: (delivery) => <When at={delivery.created_at} exact />,
      },
      { key: "tries", title: t("deliveries.tries"), numeric: true, cell: (one) => one.tries },
      {
        key: "answer",
        title: t("deliveries.answer"),
        cell: (delivery) => (
          <span className="console-answer">
            {delivery.status ?? ""} {delivery.failure ?? delivery.answer ?? ""}
          </span>
        ),
      },
      {
        key: "again",
        title: t("deliveries.again"),
        cell: (delivery) => <SendAgain endpoint={endpoint} delivery={delivery} />,
      },
    ],
    [t, endpoint],
  );
  return (
    <DataTable
      label={t("webhooks.log")}
      columns={columns}
      rows={pages.rows}
      rowKey={(delivery) => delivery.id}
      error={pages.error}
      onRetry={pages.retry}
      more={pages.more}
      empty={{ title: t("deliveries.none"), text: t("deliveries.none_text") }}
      skeletonRows={4}
    />
  );
}

function SendAgain({ endpoint, delivery }: { endpoint: string; delivery: WebhookDelivery }) {
  const { t } = useTranslation("console");
  const queries = useQueryClient();
  const tell = useToast();
  const words = useProblemWords();
  const [busy, setBusy] = useState(false);
  if (delivery.state === "pending") return null;
  const send = () => {
    setBusy(true);
    answered(
      api.POST("/v1/webhook-endpoints/{endpoint_id}/replay", {
        params: { path: { endpoint_id: endpoint } },
        body: { delivery_id: delivery.id, since: null, failed_only: false },
      }),
    )
      .then(
        () => tell(t("webhooks.queued", { count: 1, shown: "1" })),
        (error: unknown) => tell(words(error)),
      )
      .finally(() => {
        setBusy(false);
        void queries.invalidateQueries({ queryKey: ["pages"] });
      });
  };
  return (
    <Button kind="quiet" size="small" busy={busy} onClick={send}>
      {t("deliveries.send")}
    </Button>
  );
}
