// Failed refunds, which can be retried.
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Refund } from "~/api/schema";
import { Loaded } from "~/design/Loaded";
import { RefundMove } from "../bookings/MoneyPanel";
import { Panel } from "../parts/PageHead";
import { read } from "../request";
import type { Listed } from "../types";

const SHOWN = 50;
const REFRESH_MS = 4000;

export function FailedRefunds({ count }: { count: number }) {
  const { t } = useTranslation("console");
  const refunds = useQuery({
    queryKey: ["failed-refunds"],
    queryFn: () => read<Listed<Refund>>("/v1/refunds", { state: "failed", limit: SHOWN }),
    refetchInterval: REFRESH_MS,
  });
  return (
    <Panel title={t("failed_refunds.title", { count })} lead={t("failed_refunds.lead")}>
      <Loaded of={refunds} height="4rem">
        {(data) => (
          <ul role="list" className="console-failed">
            {data.items.map((refund) => (
              <li key={refund.id}>
                <Link href={`/console/bookings/${refund.booking_id}`} className="console-row-link">
                  {t("failed_refunds.booking")} <code dir="ltr">{refund.booking_id.slice(-8)}</code>
                </Link>
                <ul role="list" className="console-moves">
                  <RefundMove refund={refund} />
                </ul>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Panel>
  );
}
