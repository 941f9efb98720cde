// Failed refunds, which can be retried.
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Loaded } from "~/design";
import { RefundMove } from "../bookings/MoneyPanel";
import { MoreRows, Panel, usePages } from "../parts";

const QUERY = { state: "failed", limit: 50 };
const REFRESH_MS = 4000;

export function FailedRefunds({ count }: { count: number }) {
  const { t } = useTranslation("console");
  const { rows, error, onRetry, more } = usePages("/v1/refunds", { query: QUERY }, REFRESH_MS);
  return (
    <Panel title={t("failed_refunds.title", { count })} lead={t("failed_refunds.lead")}>
      <Loaded of={{ data: rows, error, refetch: onRetry }} height="4rem">
        {(refunds) => (
          <ul role="list" className="console-failed">
            {refunds.map((refund) => (
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
      <MoreRows more={more} />
    </Panel>
  );
}
