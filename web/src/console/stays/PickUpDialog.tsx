// How a night fills beside comparable ones: the pick-up curve, as a picture and in words.
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { PickUp } from "~/api/schema";
import { Dialog, Loaded } from "~/design";
import { number } from "~/i18n/format";
import { shortDay } from "../board/days";
import { Chart, type Line } from "../today/Chart";
import { usePickUp } from "./calls";

const DAY_SECONDS = 86_400;

type Props = { listing: string; date: string; onClose: () => void };

export function PickUpDialog({ listing, date, onClose }: Props) {
  const { t } = useTranslation("stays");
  const found = usePickUp(listing, date);
  return (
    <Dialog
      open={date !== ""}
      title={t("prices.curve.title", { date: date === "" ? "" : shortDay(date) })}
      onClose={onClose}
    >
      <Loaded of={found} height="16rem">
        {(curve) => <Curve curve={curve} />}
      </Loaded>
    </Dialog>
  );
}

function Curve({ curve }: { curve: PickUp }) {
  const { t } = useTranslation("stays");
  const { points, rooms, date } = curve;
  const night = Date.parse(`${date}T00:00:00`) / 1000;
  const times = useMemo(
    () => points.map(({ days_before: before }) => night - before * DAY_SECONDS),
    [points, night],
  );
  const lines = useMemo<Line[]>(
    () => [
      {
        name: t("prices.curve.others"),
        color: "--gold",
        values: points.map(({ expected }) => expected),
      },
      {
        name: t("prices.curve.own"),
        color: "--accent",
        values: points.map(({ booked }) => booked),
      },
    ],
    [points, t],
  );
  const now = points.findLast(({ booked }) => booked !== null);
  return (
    <div className="console-stack">
      <p>
        {t("prices.curve.text", {
          booked: now?.booked ?? 0,
          rooms,
          expected: now?.expected ?? 0,
          days: now?.days_before ?? 0,
        })}
      </p>
      <ul role="list" className="stays-legend">
        {lines.map(({ name, color }) => (
          <li key={name}>
            <span style={{ background: `var(${color})` }} aria-hidden="true" />
            {name}
          </li>
        ))}
      </ul>
      <Chart
        label={t("prices.curve.label")}
        times={times}
        lines={lines}
        format={(value) => number(value, { maximumFractionDigits: 1 })}
        top={rooms}
      />
    </div>
  );
}
