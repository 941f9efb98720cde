// The overview of a period: sales, holds, refusals, revenue, live.
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { ErrorNote, Tabs } from "~/design";
import { number } from "~/i18n/format";
import type { Overview } from "../types";
import { useBoxOffice } from "../boxOffice";
import { PageHead, useTableState } from "../parts";
import { api } from "../session";
import { StartPanel } from "../start/StartPanel";
import { Activity } from "./Activity";
import { Busiest } from "./Busiest";
import { Figures } from "./Figures";
import { isPeriod, PERIODS, periodStart, type Period } from "./period";
import { RushPanel } from "./RushPanel";
import { WaitingWork } from "./WaitingWork";

export const REFRESH_MS = 2000;
const DEFAULTS = { period: "today" };
const ALLOWED = { period: PERIODS };

export default function TodayPage() {
  const { t } = useTranslation("console");
  const [state, change] = useTableState(DEFAULTS, ALLOWED);
  const period = isPeriod(state.period) ? state.period : "today";
  const overview = useOverview(period);
  const office = useBoxOffice();
  return (
    <>
      <PageHead
        title={t("today.title")}
        lead={<Verdict overview={overview.data} />}
        actions={
          <Tabs
            label={t("today.period")}
            items={PERIODS.map((key) => ({ key, label: t(`today.periods.${key}`) }))}
            chosen={period}
            onChoose={(key) => change({ period: key })}
          />
        }
      />
      <StartPanel />
      {overview.error && !overview.data ? (
        <ErrorNote error={overview.error} onRetry={() => void overview.refetch()} />
      ) : (
        <Figures overview={overview.data} />
      )}
      <div className="console-columns">
        <div className="console-stack-wide">
          <Activity overview={overview.data} period={period} />
          <Busiest />
        </div>
        <div className="console-stack-wide">
          <RushPanel />
          {/* It would move down under the rush. */}
          {!office.isPending && <WaitingWork />}
        </div>
      </div>
    </>
  );
}

function useOverview(period: Period) {
  return useQuery({
    queryKey: ["overview", period],
    queryFn: () =>
      api.GET("/v1/overview", { query: { from: periodStart(period, new Date()).toISOString() } }),
    refetchInterval: REFRESH_MS,
    // Keeps the previous figures while loading, so that the page does not jump.
    placeholderData: (before) => before,
  });
}

function Verdict({ overview }: { overview: Overview | undefined }) {
  const { t } = useTranslation("console");
  if (overview === undefined) {
    return (
      <span className="console-verdict" data-tone="plain">
        <strong>–</strong>
        <span>{t("today.reading")}</span>
      </span>
    );
  }
  const isWell = overview.double_sold === 0;
  return (
    <span className="console-verdict" data-tone={isWell ? "good" : "bad"}>
      <strong className="tabular">{number(overview.double_sold)}</strong>
      <span>{t(isWell ? "today.double_sold_none" : "today.double_sold_some")}</span>
    </span>
  );
}
