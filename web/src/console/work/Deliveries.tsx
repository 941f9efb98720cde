// The deliveries of an endpoint; failed ones can be sent again.
import { useTranslation } from "react-i18next";
import type { WebhookDelivery } from "~/api/schema";
import { Button } from "~/design";
import { type Column, DataTable, type Pages, StateBadge, useAction, When } from "../parts";
import { api } from "../session";

type DeliveriesProps = {
  endpoint: string;
  pages: Pages<WebhookDelivery>;
};

export function Deliveries({ endpoint, pages }: DeliveriesProps) {
  const { t } = useTranslation("console");
  const columns: readonly Column<WebhookDelivery>[] = [
    { key: "type", leads: true, cell: ({ type }) => <code dir="ltr">{type}</code> },
    { key: "state", cell: ({ state }) => <StateBadge state={state} /> },
    { key: "at", cell: (delivery) => <When at={delivery.created_at} exact /> },
    { key: "tries", numeric: true, cell: ({ tries }) => tries },
    {
      key: "answer",
      cell: ({ status, failure, answer }) => (
        <span className="console-answer">
          {status ?? ""} {failure ?? answer ?? ""}
        </span>
      ),
    },
    {
      key: "again",
      cell: (delivery) => <SendAgain endpoint={endpoint} delivery={delivery} />,
    },
  ];
  return (
    <DataTable
      label={t("webhooks.log")}
      words="deliveries"
      columns={columns}
      {...pages}
      rowKey={(delivery) => delivery.id}
      empty={{ title: t("deliveries.none"), text: t("deliveries.none_text") }}
      skeletonRows={4}
    />
  );
}

function SendAgain({ endpoint, delivery }: { endpoint: string; delivery: WebhookDelivery }) {
  const { t } = useTranslation("console");
  const { busy, run } = useAction(["pages"]);
  if (delivery.state === "pending") return null;
  const send = () =>
    run(
      api.POST("/v1/webhook-endpoints/{endpoint_id}/replay", {
        path: { endpoint_id: endpoint },
        body: { delivery_id: delivery.id, since: null, include_delivered: false, dry_run: false },
      }),
      t("webhooks.queued", { count: 1 }),
    );
  return (
    <Button kind="quiet" size="small" busy={busy} onClick={send}>
      {t("deliveries.send")}
    </Button>
  );
}
