// How full a show is: sold, held and blocked of all, as text and as a bar.
import { useTranslation } from "react-i18next";
import type { ResourceFigures } from "~/api/internal";
import { number } from "~/i18n/format";

type Counted = Pick<ResourceFigures, "sold" | "held" | "blocked" | "units_total">;

export function Occupancy({ of: { sold, held, blocked, units_total: total } }: { of: Counted }) {
  const { t } = useTranslation("console");
  if (total === null || total === 0) {
    return <span className="tabular">{t("occupancy.sold", { count: sold })}</span>;
  }
  const share = (part: number) => ({ inlineSize: `${Math.min(100, (part / total) * 100)}%` });
  return (
    <div className="console-occupancy">
      <div className="console-occupancy-words tabular">
        <strong>{number(sold / total, { style: "percent" })}</strong>
        <span>{t("occupancy.of", { sold, total })}</span>
      </div>
      <div className="console-bar" aria-hidden="true">
        <span data-state="sold" style={share(sold)} />
        <span data-state="held" style={share(held)} />
        <span data-state="blocked" style={share(blocked)} />
      </div>
      {(held > 0 || blocked > 0) && (
        <span className="visually-hidden">{t("occupancy.also", { held, blocked })}</span>
      )}
    </div>
  );
}
