// The figures of a period.
import { useTranslation } from "react-i18next";
import type { IconName } from "~/design";
import { number } from "~/i18n/format";
import type { Overview } from "../types";
import { Amounts, Figure, span } from "../parts";

export function Figures({ overview }: { overview: Overview | undefined }) {
  const { t } = useTranslation("console");
  // As high as what comes: else all below would move.
  if (overview === undefined) return <Awaited />;
  const { hold_to_confirm: waited, conversion } = overview;
  const seconds = (value: number | null) => (value === null ? "–" : span(value));
  return (
    <dl className="console-figures">
      <Figure
        label={t("today.sold")}
        icon="ticket"
        value={number(overview.sold)}
        note={t("today.in_bookings", { count: overview.bookings })}
      />
      <Figure
        label={t("today.revenue")}
        icon="card"
        value={<Amounts of={overview.revenue} />}
        note={
          overview.refunded.some((one) => one.amount > 0) ? (
            <>
              {t("today.refunded")} <Amounts of={overview.refunded} />
            </>
          ) : (
            t("today.nothing_refunded")
          )
        }
      />
      <Figure
        label={t("today.held")}
        icon="clock"
        value={number(overview.held)}
        note={t("today.held_note")}
      />
      <Figure
        label={t("today.refused")}
        icon="block"
        value={number(overview.refused)}
        note={t("today.refused_note")}
      />
      <Figure
        label={t("today.to_confirm")}
        icon="person"
        value={seconds(waited.p50_seconds)}
        note={t("today.p95", { time: seconds(waited.p95_seconds) })}
      />
      <Figure
        label={t("today.conversion")}
        icon="check"
        value={
          conversion === null
            ? "–"
            : number(conversion, { style: "percent", maximumFractionDigits: 1 })
        }
        note={t("today.conversion_note")}
      />
    </dl>
  );
}

const AWAITED = [
  ["sold", "ticket", null],
  ["revenue", "card", "nothing_refunded"],
  ["held", "clock", "held_note"],
  ["refused", "block", "refused_note"],
  ["to_confirm", "person", null],
  ["conversion", "check", "conversion_note"],
] as const satisfies readonly (readonly [string, IconName, string | null])[];

function Awaited() {
  const { t } = useTranslation("console");
  return (
    <dl className="console-figures" aria-busy="true">
      {AWAITED.map(([name, icon, note]) => (
        <Figure
          key={name}
          label={t(`today.${name}`)}
          icon={icon}
          value={<span className="skeleton">{"\u2007".repeat(4)}</span>}
          note={note === null ? "\u00A0" : t(`today.${note}`)}
        />
      ))}
    </dl>
  );
}
