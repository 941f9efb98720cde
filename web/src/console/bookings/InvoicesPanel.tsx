// The invoice of a booking and its credit notes: issued here, and opened as PDFs.
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { BookingView } from "~/api/schema";
import { Button, Icon, Loaded } from "~/design";
import { money } from "~/i18n/format";
import { Panel, useAction, When } from "../parts";
import { api, useMay } from "../session";

/** Nothing for what cost nothing. */
export function InvoicesPanel({ booking }: { booking: BookingView }) {
  const { t } = useTranslation("console");
  const key = ["booking", booking.id, "invoices"];
  const path = { booking_id: booking.id };
  const maySell = useMay("sell");
  const { busy, run } = useAction(key);
  const isPaid = booking.payment !== null;
  const found = useQuery({
    queryKey: key,
    queryFn: () => api.GET("/v1/bookings/{booking_id}/invoices", { path }),
    enabled: isPaid,
  });
  if (!isPaid) return null;
  const hasInvoice = (found.data?.items.length ?? 0) > 0;
  const isOpen = !hasInvoice || booking.refunds.length > 0;
  const issue = () =>
    run(api.POST("/v1/bookings/{booking_id}/invoices", { path }), t("invoices.issued"));
  return (
    <Panel
      title={t("invoices.title")}
      actions={
        maySell &&
        isOpen && (
          <Button kind="quiet" size="small" busy={busy} onClick={issue}>
            {t(hasInvoice ? "invoices.again" : "invoices.issue")}
          </Button>
        )
      }
    >
      <Loaded of={found} height="3rem">
        {({ items }) =>
          items.length === 0 ? (
            <p className="console-quiet">
              {t("invoices.none")} {t("invoices.hint")}
            </p>
          ) : (
            <ul role="list" className="console-moves">
              {items.map((one) => (
                <li key={one.id}>
                  <span>
                    <strong>
                      {t(`invoices.${one.kind}`, { number: `\u2068${one.number}\u2069` })}
                    </strong>
                    <span className="console-quiet">
                      <When at={one.issued_at} />
                      {one.buyer?.company && ` · ${one.buyer.company}`}
                    </span>
                  </span>
                  <strong className="tabular">
                    {money(one.amount.amount, one.amount.currency)}
                  </strong>
                  <a
                    className="button"
                    data-kind="quiet"
                    data-size="small"
                    href={`/v1/invoices/${one.id}/document.pdf`}
                    target="_blank"
                    rel="noreferrer"
                    aria-label={t("invoices.pdf", { number: one.number })}
                  >
                    <Icon name="download" size={18} /> PDF
                  </a>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}
