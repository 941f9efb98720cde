// How full the nights are, and what a room brings in each.
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { CurrencyFigures } from "~/api/schema";
import { Loaded } from "~/design";
import { decimalsOf } from "~/i18n/currencies";
import { money, number } from "~/i18n/format";
import { Panel } from "../parts";
import { Chart } from "../today/Chart";
import { useFigures } from "./calls";

const WHOLE = 10_000;

export function Charts({ id, from }: { id: string; from: string }) {
  const figures = useFigures(id, from);
  return (
    <Loaded of={figures} height="20rem">
      {({ items }) => items.map((one) => <OfCurrency key={one.currency} of={one} />)}
    </Loaded>
  );
}

function OfCurrency({ of: { currency, total, nights } }: { of: CurrencyFigures }) {
  const { t } = useTranslation("board");
  const times = useMemo(
    () => nights.map(({ date }) => Date.parse(`${date}T00:00:00`) / 1000),
    [nights],
  );
  const share = (points: number | null) =>
    points === null ? "–" : number(points / WHOLE, { style: "percent" });
  // Without any revenue the scale still has amounts that differ.
  const few = 10 * 10 ** decimalsOf(currency);
  const amount = (minor: number | null) => (minor === null ? "–" : money(minor, currency));
  const occupancy = useMemo(
    () => [line(t("occupancy"), "--accent", nights, ({ occupancy: points }) => points)],
    [nights, t],
  );
  const revpar = useMemo(
    () => [line(t("revpar"), "--gold", nights, ({ revpar: minor }) => minor)],
    [nights, t],
  );
  return (
    <Panel
      title={t("figures", { currency })}
      lead={t("total", {
        occupancy: share(total.occupancy),
        adr: amount(total.adr),
        revpar: amount(total.revpar),
        revenue: amount(total.revenue),
      })}
    >
      <div className="board-charts">
        <figure>
          <figcaption>{t("occupancy")}</figcaption>
          <Chart
            label={t("occupancy")}
            times={times}
            lines={occupancy}
            format={share}
            top={WHOLE}
          />
        </figure>
        <figure>
          <figcaption>{t("revpar")}</figcaption>
          <Chart label={t("revpar")} times={times} lines={revpar} format={amount} top={few} />
        </figure>
      </div>
    </Panel>
  );
}

type Night = CurrencyFigures["nights"][number];

function line(
  name: string,
  color: string,
  nights: readonly Night[],
  value: (night: Night) => number | null,
) {
  return { name, color, isBars: true, values: nights.map((night) => value(night) ?? 0) };
}
