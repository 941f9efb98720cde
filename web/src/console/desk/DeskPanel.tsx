// The desk's own work: refunds to be handed over, and what should be in the drawer today.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Refund } from "~/api/schema";
import { Button, Loaded } from "~/design";
import { money } from "~/i18n/format";
import { CsvLink, DataTable, Panel, useAction, When } from "../parts";
import { api, useMay } from "../session";
import { takingsColumns } from "./takingsColumns";

const REFRESH_MS = 15_000;
const AT_DESK = ["refunds", "at_desk"];
const TAKINGS = ["takings"];

export function DeskPanel() {
  const { t } = useTranslation("console");
  const refunds = useQuery({
    queryKey: AT_DESK,
    queryFn: () => api.GET("/v1/refunds", { query: { state: "at_desk", limit: 100 } }),
    refetchInterval: REFRESH_MS,
  });
  return (
    <Panel title={t("desk.panel")} lead={t("desk.lead")}>
      <Takings />
      <h3>{t("desk.to_hand_over")}</h3>
      <Loaded of={refunds} height="3rem">
        {({ items }) =>
          items.length === 0 ? (
            <p className="console-quiet">{t("desk.nothing")}</p>
          ) : (
            <ul role="list" className="console-moves">
              {items.map((refund) => (
                <li key={refund.id}>
                  <span>
                    <Link href={`/console/bookings/${refund.booking_id}`}>
                      {t("failed_refunds.booking")}{" "}
                      <code dir="ltr">{refund.booking_id.slice(-8)}</code>
                    </Link>
                    <span className="console-quiet">
                      <When at={refund.created_at} />
                    </span>
                  </span>
                  <strong className="tabular">
                    {money(refund.amount.amount, refund.amount.currency)}
                  </strong>
                  <HandOver refund={refund} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}

export function HandOver({ refund }: { refund: Refund }) {
  const { t } = useTranslation("console");
  const { busy, run } = useAction(["booking", refund.booking_id], AT_DESK, TAKINGS);
  const path = { refund_id: refund.id };
  if (!useMay("refund")) return null;
  return (
    <Button
      kind="quiet"
      size="small"
      busy={busy}
      onClick={() =>
        run(api.POST("/v1/refunds/{refund_id}/hand-over", { path }), t("desk.handed_over"))
      }
    >
      {t("desk.hand_over")}
    </Button>
  );
}

function startOfToday(): string {
  const today = new Date();
  today.setHours(0, 0, 0, 0);
  return today.toISOString();
}

function Takings() {
  const { t } = useTranslation("console");
  const [from] = useState(startOfToday);
  const takings = useQuery({
    queryKey: [...TAKINGS, from],
    queryFn: () => api.GET("/v1/desk/takings", { query: { from } }),
    refetchInterval: REFRESH_MS,
  });
  return (
    <>
      <div className="console-panel-head">
        <h3>{t("desk.today")}</h3>
        <CsvLink href={`/v1/desk/takings?from=${encodeURIComponent(from)}&format=csv`} />
      </div>
      <DataTable
        label={t("desk.today")}
        words="desk"
        columns={takingsColumns(t)}
        rows={takings.data?.items}
        skeletonRows={2}
        error={takings.error}
        onRetry={() => void takings.refetch()}
        rowKey={(row) => `${row.method} ${row.actor} ${row.currency}`}
        empty={{ title: t("desk.none") }}
      />
    </>
  );
}
