// Reports: of a day, or of several.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useSearch } from "wouter";
import { Button, ButtonLink, Field, Icon, Loaded } from "~/design";
import { PageHead } from "../parts";
import { api } from "../session";
import { DayInvoices } from "./DayInvoices";
import { dayAfter, dayOf, isDay, monthOf } from "./days";
import { Files } from "./Files";
import { Report } from "./Report";
import { PeriodPage } from "./PeriodPage";
import "./reports.css";

const PATH = "/console/reports";

export default function ReportsPage() {
  const asked = new URLSearchParams(useSearch());
  const [first, last] = [asked.get("first"), asked.get("last")];
  const [today] = useState(() => dayOf(new Date()));
  return isDay(first) && isDay(last) ? (
    <PeriodPage first={first} last={last} today={today} />
  ) : (
    <DayPage asked={asked.get("day")} today={today} />
  );
}

function DayPage({ asked, today }: { asked: string | null; today: string }) {
  const { t } = useTranslation("console");
  const [, go] = useLocation();
  const day = isDay(asked) ? asked : today;
  const month = monthOf(day);
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
        actions={<Files csv={`${file}?format=csv`} pdf={`${file}/document.pdf`} />}
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
        <ButtonLink kind="quiet" href={`${PATH}?first=${month.first}&last=${month.last}`}>
          {t("reports.several")}
        </ButtonLink>
      </div>
      <Loaded of={report} height="24rem">
        {(data) => (
          <Report report={data} nothing={t("reports.nothing")}>
            {/* Another day is another list. */}
            <DayInvoices key={data.date} report={data} />
          </Report>
        )}
      </Loaded>
    </>
  );
}
