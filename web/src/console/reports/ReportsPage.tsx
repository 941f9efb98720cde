// The report of a day: what was sold, what moved, and what of it is tax.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useSearch } from "wouter";
import type { DayReport } from "~/api/schema";
import { Button, Field, Icon, Loaded } from "~/design";
import { CsvLink, PageHead, Panel } from "../parts";
import { api } from "../session";
import { DayInvoices } from "./DayInvoices";
import { dayAfter, dayOf, isDay } from "./days";
import {
  DeskTable,
  FeeTable,
  FreeTable,
  MoneyTable,
  RefundTable,
  SalesTable,
  TaxTable,
} from "./tables";
import "./reports.css";

const PATH = "/console/reports";

export default function ReportsPage() {
  const { t, i18n } = useTranslation("console");
  const [, go] = useLocation();
  const asked = new URLSearchParams(useSearch()).get("day");
  const [today] = useState(() => dayOf(new Date()));
  const day = isDay(asked) ? asked : today;
  const pick = (next: string) => {
    if (isDay(next)) go(`${PATH}?day=${next}`, { replace: true });
  };
  const report = useQuery({
    queryKey: ["report", day],
    queryFn: () => api.GET("/v1/reports/days/{date}", { path: { date: day }, query: {} }),
  });
  const file = `/v1/reports/days/${day}`;
  return (
    <>
      <PageHead
        title={t("reports.title")}
        lead={t("reports.lead")}
        actions={
          <>
            <CsvLink href={`${file}?format=csv`} />
            <a
              className="button"
              data-kind="quiet"
              href={`${file}/document.pdf?lang=${i18n.language}`}
              target="_blank"
              rel="noreferrer"
            >
              <Icon name="download" size={18} /> {t("reports.print")}
            </a>
          </>
        }
      />
      <div className="report-day">
        <Button kind="quiet" onClick={() => pick(dayAfter(day, -1))}>
          <Icon name="back" size={18} flip />
          <span className="visually-hidden">{t("reports.before")}</span>
        </Button>
        <Field
          type="date"
          label={t("reports.day")}
          value={day}
          max={today}
          onChange={({ target }) => pick(target.value)}
        />
        <Button kind="quiet" disabled={day >= today} onClick={() => pick(dayAfter(day, 1))}>
          <Icon name="forward" size={18} flip />
          <span className="visually-hidden">{t("reports.after")}</span>
        </Button>
      </div>
      <Loaded of={report} height="24rem">
        {(data) => <Report report={data} />}
      </Loaded>
    </>
  );
}

function Report({ report }: { report: DayReport }) {
  const { t } = useTranslation("console");
  const hasMoney = report.money.length > 0;
  const isEmpty = !hasMoney && report.desk.length === 0 && report.free.length === 0;
  return (
    <>
      <p className="console-quiet" role="status">
        {isEmpty ? t("reports.nothing") : t("reports.bookings", { count: report.bookings })}{" "}
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
      {(hasMoney || report.refunds.length > 0) && (
        // Another day is another list.
        <DayInvoices key={report.date} report={report} />
      )}
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

function Sold({ report }: { report: DayReport }) {
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
