// The report of a day, or of several: what was sold, what moved, and what of it is tax.
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { DayReport, PeriodReport } from "~/api/schema";
import { Panel } from "../parts";
import {
  DeskTable,
  FeeTable,
  FreeTable,
  MoneyTable,
  RefundTable,
  SalesTable,
  TaxTable,
} from "./tables";

type Props = {
  report: DayReport | PeriodReport;
  /** Said where nothing happened. */
  nothing: string;
  children?: ReactNode;
};

/** `children` stand before the fees, where there is money. */
export function Report({ report, nothing, children }: Props) {
  const { t } = useTranslation("console");
  const hasMoney = report.money.length > 0;
  const isEmpty = !hasMoney && report.desk.length === 0 && report.free.length === 0;
  return (
    <>
      <p className="console-quiet" role="status">
        {isEmpty ? nothing : t("reports.bookings", { count: report.bookings })}{" "}
        {t("reports.zone", { zone: report.time_zone })}
      </p>
      {hasMoney && <Sold report={report} />}
      {report.refunds.length > 0 && (
        <Panel title={t("reports.refunds")}>
          <RefundTable report={report} />
          <h3>{t("reports.refunded_taxes")}</h3>
          <TaxTable label={t("reports.refunded_taxes")} taxes={report.refunded_taxes} />
        </Panel>
      )}
      {(hasMoney || report.refunds.length > 0) && children}
      {report.fees.length > 0 && (
        <Panel title={t("reports.fees")} lead={t("reports.fees_lead")}>
          <FeeTable report={report} />
        </Panel>
      )}
      {report.desk.length > 0 && (
        <Panel title={t("reports.desk")}>
          <DeskTable report={report} />
        </Panel>
      )}
      {report.free.length > 0 && (
        <Panel title={t("reports.free")}>
          <FreeTable report={report} />
        </Panel>
      )}
    </>
  );
}

function Sold({ report }: Pick<Props, "report">) {
  const { t } = useTranslation("console");
  return (
    <>
      <Panel title={t("reports.sales")}>
        <SalesTable report={report} />
      </Panel>
      <Panel title={t("reports.money")} lead={t("reports.money_lead")}>
        <MoneyTable report={report} />
      </Panel>
      <Panel title={t("reports.taxes")}>
        <TaxTable label={t("reports.taxes")} taxes={report.taxes} />
      </Panel>
    </>
  );
}
