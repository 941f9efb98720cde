// The report of several days: their sums, and what moved on each of them.
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { Button, ButtonLink, Field, Loaded } from "~/design";
import { PageHead, Panel } from "../parts";
import { api } from "../session";
import { DAYS_MAX, daysWithin, isDay, monthOf, yearOf } from "./days";
import { Files } from "./Files";
import { Report } from "./Report";
import { DaysTable } from "./tables";

const PATH = "/console/reports";
/** A year takes the server longer than a page. */
const PATIENCE_S = 120;

type Props = { first: string; last: string; today: string };

export function PeriodPage({ first, last, today }: Props) {
  const { t } = useTranslation("console");
  const count = daysWithin(first, last);
  const isGood = count >= 1 && count <= DAYS_MAX;
  const report = useQuery({
    queryKey: ["period-report", first, last],
    enabled: isGood,
    queryFn: () => api.GET("/v1/reports/period", { query: { first, last }, seconds: PATIENCE_S }),
  });
  const query = `first=${first}&last=${last}`;
  const file = "/v1/reports/period";
  return (
    <>
      <PageHead
        title={t("reports.period")}
        lead={t("reports.period_lead")}
        actions={
          isGood && (
            <Files csv={`${file}?${query}&format=csv`} pdf={`${file}/document.pdf?${query}`} />
          )
        }
      />
      <Range first={first} last={last} today={today} isGood={isGood} />
      {isGood && (
        <Loaded of={report} height="24rem">
          {(data) => (
            <>
              <Report report={data} nothing={t("reports.nothing_in_period")} />
              {data.days.length > 0 && (
                <Panel title={t("reports.by_day")}>
                  <DaysTable days={data.days} />
                </Panel>
              )}
            </>
          )}
        </Loaded>
      )}
    </>
  );
}

function Range({ first, last, today, isGood }: Props & { isGood: boolean }) {
  const { t } = useTranslation("console");
  const [, go] = useLocation();
  const pick = (days: { first: string; last: string }) => {
    if (isDay(days.first) && isDay(days.last)) {
      go(`${PATH}?first=${days.first}&last=${days.last}`, { replace: true });
    }
  };
  const quick = {
    this_month: monthOf(today),
    last_month: monthOf(today, -1),
    last_year: yearOf(today, -1),
  };
  return (
    <div className="report-day">
      <Field
        type="date"
        label={t("reports.first")}
        value={first}
        onChange={({ target }) => pick({ first: target.value, last })}
      />
      <Field
        type="date"
        label={t("reports.last")}
        value={last}
        error={isGood ? null : t("reports.wrong_days", { most: DAYS_MAX })}
        onChange={({ target }) => pick({ first, last: target.value })}
      />
      {Object.entries(quick).map(([name, days]) => (
        <Button key={name} kind="quiet" onClick={() => pick(days)}>
          {t(`reports.${name}`)}
        </Button>
      ))}
      <ButtonLink kind="quiet" href={PATH}>
        {t("reports.one_day")}
      </ButtonLink>
    </div>
  );
}
