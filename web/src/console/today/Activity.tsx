// The chart of activity: holds, sales and refusals, or revenue.
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Skeleton, Tabs } from "~/design";
import { money, number } from "~/i18n/format";
import type { Overview } from "../types";
import { Panel, span } from "../parts";
import { Chart, type Line } from "./Chart";
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

type PlotProps = {
  overview: Overview;
  lines: readonly (Line & { readonly total: string })[];
  label: string;
  format?: (value: number) => string;
};

function Units({ overview }: { overview: Overview }) {
  const { t } = useTranslation("console");
  const { points } = overview.series;
  const lines = useMemo(
    () =>
      LINES.map(({ column, color }) => {
        const values = counts(points, column);
        const total = values.reduce((sum, one) => sum + one, 0);
        return { name: column, color, values, total: number(total), count: total };
      }),
    [points],
  );
  const totals = Object.fromEntries(lines.map(({ name, count }) => [name, count]));
  return <Plot overview={overview} lines={lines} label={t("activity.chart_units", totals)} />;
}

function Revenue({ overview, currency }: { overview: Overview; currency: string }) {
  const { t } = useTranslation("console");
  const { points } = overview.series;
  const amount = overview.revenue.find((one) => one.currency === currency)?.amount ?? 0;
  const total = money(amount, currency);
  const lines = useMemo(() => {
    const values = revenue(points, currency);
    return [{ name: "revenue", color: "--good", values, total, isBars: true }];
  }, [points, currency, total]);
  const label = t("activity.chart_revenue", { amount: total });
  const format = (value: number) => money(value, currency);
  return <Plot overview={overview} lines={lines} label={label} format={format} />;
}

function Plot({ overview, lines, ...chart }: PlotProps) {
  const { t } = useTranslation("console");
  const { points } = overview.series;
  const at = useMemo(() => times(points), [points]);
  return (
    <>
      <ul role="list" className="console-legend">
        {lines.map(({ name, color, total }) => (
          <li key={name}>
            <span className="console-dot" style={{ background: `var(${color})` }} />
            {t(`activity.${name}`)} <strong className="tabular">{total}</strong>
          </li>
        ))}
      </ul>
      <Chart {...chart} times={at} lines={lines} />
    </>
  );
}
