// The invoices and credit notes of a day, for who keeps the books: those that nobody asked for are issued
// here, a hundred bookings a call, and all that was issued comes as a file.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { DayReport } from "~/api/schema";
import { Button, ErrorNote, useToast } from "~/design";
import { CsvLink, Panel } from "../parts";
import { api, useMay } from "../session";

/** A stadium of bookings, a hundred a call. */
const CALLS_MAX = 1000;

export function DayInvoices({ report }: { report: DayReport }) {
  const { t } = useTranslation("console");
  const tell = useToast();
  const maySell = useMay("sell");
  const [issued, setIssued] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const time = { from: report.since, to: report.until };
  const issue = async () => {
    setError(null);
    setIssued(0);
    let done = 0;
    try {
      for (let call = 0; call < CALLS_MAX; call += 1) {
        // One after the other: each goes on where the one before ended.
        // oxlint-disable-next-line no-await-in-loop
        const { bookings, complete } = await api.POST("/v1/invoices", { body: time });
        done += bookings;
        setIssued(done);
        if (complete) break;
      }
      tell(t("reports.invoices_issued", { count: done }));
    } catch (refused) {
      setError(refused);
    } finally {
      setIssued(null);
    }
  };
  return (
    <Panel
      title={t("invoices.title")}
      lead={t("reports.invoices_lead")}
      actions={<CsvLink href={`/v1/invoices?${new URLSearchParams({ ...time, format: "csv" })}`} />}
    >
      {maySell && (
        <div className="console-actions">
          <Button kind="quiet" busy={issued !== null} onClick={() => void issue()}>
            {t("reports.invoices_issue")}
          </Button>
          {issued !== null && (
            <span role="status">{t("reports.invoices_issued", { count: issued })}</span>
          )}
        </div>
      )}
      {error !== null && <ErrorNote error={error} />}
    </Panel>
  );
}
