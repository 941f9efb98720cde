// How a waiting room went over the last minutes, as long as this page is open.
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { WaitingRoomNow } from "~/api/schema";
import { number } from "~/i18n/format";
import { Panel } from "../parts";
import { Chart } from "../today/Chart";
import type { Moment } from "./useRoom";

const LINES = [
  { name: "waiting", color: "--accent" },
  { name: "inside", color: "--good" },
  { name: "aMinute", color: "--gold" },
] as const;

type ChartProps = { told: WaitingRoomNow; moments: readonly Moment[] };

export function RoomChart({ told, moments }: ChartProps) {
  const { t } = useTranslation("waiting_rooms");
  const times = useMemo(() => moments.map(({ at }) => at), [moments]);
  const last = moments.at(-1);
  const lines = LINES.map(({ name, color }) => ({
    name: t(`chart.${name}`),
    color,
    values: moments.map((moment) => moment[name]),
  }));
  const left = told.units_left;
  return (
    <Panel
      title={t("chart.title")}
      lead={left === null ? t("chart.lead") : `${t("chart.left")}: ${number(left)}`}
    >
      <ul role="list" className="console-legend">
        {LINES.map(({ name, color }) => (
          <li key={name}>
            <span
              className="console-dot"
              style={{ background: `var(${color})` }}
              aria-hidden="true"
            />
            {t(`chart.${name}`)}: <span className="tabular">{number(last?.[name] ?? 0)}</span>
          </li>
        ))}
      </ul>
      <Chart label={t("chart.title")} times={times} lines={lines} top={5} />
    </Panel>
  );
}
