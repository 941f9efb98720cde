// The chart of activity: holds, sales and refusals, or revenue.
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Skeleton } from "~/design/Feedback";
import { Tabs } from "~/design/Tabs";
import { money, number } from "~/i18n/format";
import type { Overview } from "../types";
import { Panel } from "../parts/PageHead";
import { span } from "../parts/timeSpan";
import { Chart } from "./Chart";
import type { Period } from "./period";
import { counts, mainCurrency, revenue, times, type SeriesColumn } from "./series";

const LINES: readonly { column: SeriesColumn; color: string }[] = [
  { column: "held", color: "--gold" },
  { column: "confirmed", color: "--accent" },
  { column: "refused", color: "--bad" },
];

export function Activity({ overview, period }: { overview: Overview | undefined; period: Period }) {
  const { t } = useTranslation("console");
  const [shown, show] = useState("units");
  const currency = overview ? mainCurrency(overview) : null;
  return (
    <Panel
      title={t("activity.title")}
      lead={overview && t("activity.every", { time: span(overview.series.step_seconds) })}
      actions={
        <Tabs
          label={t("activity.shown")}
          items={[
            { key: "units", label: t("activity.units") },
            { key: "revenue", label: t("activity.revenue") },
          ]}
          chosen={shown}
          onChoose={show}
        />
      }
    >
      {overview === undefined ? (
        <Skeleton height="240px" />
      ) : shown === "revenue" && currency !== null ? (
        <Revenue key={period} overview={overview} currency={currency} />
      ) : (
        <Units key={period} overview={overview} />
      )}
    </Panel>
  );
}

function Units({ overview }: { overview: Overview }) {
  const { t } = useTranslation("console");
  const { points } = overview.series;
  const at = useMemo(() => times(points), [points]);
  const lines = useMemo(
    () =>
      LINES.map(({ column, color }) => ({
        name: column,
        color,
        values: counts(points, column),
      })),
    [points],
  );
  const total = (column: SeriesColumn) => counts(points, column).reduce((sum, one) => sum + one, 0);
  return (
    <>
      <ul role="list" className="console-legend">
        {LINES.map(({ column, color }) => (
          <li key={column}>
            <span className="console-dot" style={{ background: `var(${color})` }} />
            {t(`activity.${column}`)} <strong className="tabular">{number(total(column))}</strong>
          </li>
        ))}
      </ul>
      <Chart
        label={t("activity.chart_units", {
          held: total("held"),
          confirmed: total("confirmed"),
          refused: total("refused"),
        })}
        times={at}
        lines={lines}
      />
    </>
  );
}

function Revenue({ overview, currency }: { overview: Overview; currency: string }) {
  const { t } = useTranslation("console");
  const { points } = overview.series;
  const at = useMemo(() => times(points), [points]);
  const lines = useMemo(
    () => [{ name: "revenue", color: "--good", values: revenue(points, currency), isBars: true }],
    [points, currency],
  );
  const total = overview.revenue.find((one) => one.currency === currency)?.amount ?? 0;
  return (
    <>
      <ul role="list" className="console-legend">
        <li>
          <span className="console-dot" style={{ background: "var(--good)" }} />
          {t("activity.revenue")} <strong className="tabular">{money(total, currency)}</strong>
        </li>
      </ul>
      <Chart
        label={t("activity.chart_revenue", { amount: money(total, currency) })}
        times={at}
        lines={lines}
        format={(value) => money(value, currency)}
      />
    </>
  );
}
