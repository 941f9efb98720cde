// How a waiting room went over the last minutes, as long as this page is open.
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { WaitingRoomNow } from "~/api/schema";
import { number } from "~/i18n/format";
import { Panel } from "../parts";
import { Chart } from "../today/Chart";
import { arrivalsAMinute, minutesToSoldOut } from "./outlook";
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
  const arrivals = arrivalsAMinute(moments);
  return (
    <Panel title={t("chart.title")} lead={<Outlook left={told.units_left} moments={moments} />}>
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
        {arrivals !== null && (
          <li>
            {t("chart.arrivals")}: <span className="tabular">{number(arrivals)}</span>
          </li>
        )}
      </ul>
      <Chart label={t("chart.title")} times={times} lines={lines} top={5} />
    </Panel>
  );
}

function Outlook({ left, moments }: { left: number | null; moments: readonly Moment[] }) {
  const { t } = useTranslation("waiting_rooms");
  if (left === null) return <>{t("chart.lead")}</>;
  const minutes = minutesToSoldOut(moments);
  return (
    <>
      {t("chart.left")}: <span className="tabular">{number(left)}</span>
      {minutes !== null && ` · ${t("chart.sold_out_in", { count: minutes })}`}
    </>
  );
}
