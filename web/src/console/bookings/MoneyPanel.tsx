// What a booking cost, how it was paid, and its refunds, which can be retried.
import { useTranslation } from "react-i18next";
import type { BookingView, Refund } from "~/api/schema";
import { Button } from "~/design";
import { money, number } from "~/i18n/format";
import { Panel, StateBadge, useAction, When } from "../parts";
import { HandOver } from "../desk/DeskPanel";
import { api, useMay } from "../session";
import { bill } from "~/api/bill";

export function MoneyPanel({ booking }: { booking: BookingView }) {
  const { t } = useTranslation("console");
  const { payment, quote, refunds } = booking;
  return (
    <Panel title={t("money.title")}>
      <dl className="console-bill">
        {bill(quote?.lines ?? []).map((line) => (
          <div key={`${line.kind} ${line.label}`} data-kind={line.kind}>
            <dt>
              {line.kind === "tax" && line.included
                ? t("money.tax_included", { label: line.label })
                : line.label}
              {line.kind !== "tax" && line.quantity > line.names && (
                <span className="console-quiet"> × {number(line.quantity)}</span>
              )}
            </dt>
            <dd className="tabular">{money(line.amount, booking.amount.currency)}</dd>
          </div>
        ))}
        <div data-kind="total">
          <dt>{t("money.total")}</dt>
          <dd className="tabular">{money(booking.amount.amount, booking.amount.currency)}</dd>
        </div>
      </dl>
      {payment === null ? (
        <p className="console-quiet">
          {t(booking.amount.amount > 0 ? "money.no_payment" : "money.not_paid")}
        </p>
      ) : (
        <ul role="list" className="console-moves">
          <li>
            <span>
              {t("money.payment", { provider: payment.provider })}
              <span className="console-quiet">
                <When at={payment.captured_at ?? payment.created_at} />
              </span>
            </span>
            <strong className="tabular">
              {money(payment.amount.amount, payment.amount.currency)}
            </strong>
            <StateBadge state={payment.state} />
          </li>
          {refunds.map((refund) => (
            <RefundMove key={refund.id} refund={refund} isAtDesk={payment.provider === "desk"} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

type RefundMoveProps = { refund: Refund; isAtDesk?: boolean };

export function RefundMove({ refund, isAtDesk = false }: RefundMoveProps) {
  const { t } = useTranslation("console");
  return (
    <li>
      <span>
        {t(`money.cause.${refund.cause}`)}
        <span className="console-quiet">
          <When at={refund.ended_at ?? refund.created_at} />
          {refund.failure && ` · ${refund.failure}`}
        </span>
      </span>
      <strong className="tabular">{money(-refund.amount.amount, refund.amount.currency)}</strong>
      <StateBadge state={refund.state} />
      {refund.state === "failed" && <RetryRefund refund={refund} />}
      {refund.state === "pending" && isAtDesk && <HandOver refund={refund} />}
    </li>
  );
}

export function RetryRefund({ refund }: { refund: Refund }) {
  const { t } = useTranslation("console");
  const { busy, run } = useAction(["booking", refund.booking_id], ["pages"]);
  const path = { refund_id: refund.id };
  const retry = () => run(api.POST("/v1/refunds/{refund_id}/retry", { path }), t("money.retrying"));
  if (!useMay("refund")) return null;
  return (
    <Button kind="quiet" size="small" busy={busy} onClick={retry}>
      {t("money.retry")}
    </Button>
  );
}
