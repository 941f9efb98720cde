// How many places guests hold or have booked, of how many.
import { useTranslation } from "react-i18next";
import { number } from "~/i18n/format";

type Counted = { sold?: number | null; units_total?: number | null };

export function Sold({ of }: { of: Counted }) {
  const { t } = useTranslation("programme");
  const [sold, total] = [of.sold ?? 0, of.units_total ?? 0];
  if (total === 0) return <>–</>;
  const share = { inlineSize: `${Math.min(100, (sold / total) * 100)}%` };
  return (
    <div className="console-occupancy">
      <span className="tabular">
        {t("dates.sold_of", { sold: number(sold), total: number(total) })}
      </span>
      <div className="console-bar" aria-hidden="true">
        <span data-state="sold" style={share} />
      </div>
    </div>
  );
}
