// A refusal and its alternatives. The selection is kept.
import { useTranslation } from "react-i18next";
import { Button, Note } from "~/design";
import type { SeatsPlan } from "~/seatmap/plan";
import { useUnitNames } from "../UnitList";
import type { OfferedChoice } from "./lines";
import type { Refusal } from "./refusal";

type RefusalNoteProps = {
  refusal: Refusal;
  plan: SeatsPlan | null;
  onChoose: (choice: OfferedChoice) => void;
  onRetry: () => void;
  onSplit: (() => void) | null;
};

export function RefusalNote({ refusal, plan, onChoose, onRetry, onSplit }: RefusalNoteProps) {
  const { t } = useTranslation("shop");
  const name = useUnitNames(plan);
  const count = refusal.count ?? 0;
  return (
    <div role="alert">
      <Note tone={refusal.say === "resource_closed" ? "bad" : "warn"}>
        <p>
          {t(`refusal.${refusal.say}`, {
            units: refusal.units.length > 0 ? name(refusal.units) : "",
            count,
          })}
        </p>
        {refusal.choices.length > 0 && (
          <ul role="list" className="show-chips">
            {refusal.choices.map((choice) => (
              <li key={choice.units.join(" ")}>
                <button type="button" className="show-chip" onClick={() => onChoose(choice)}>
                  <bdi>{name(choice.units)}</bdi>
                </button>
              </li>
            ))}
          </ul>
        )}
        {(refusal.mayRetry || (refusal.say === "not_together" && onSplit !== null)) && (
          <p className="show-refusal-actions">
            {refusal.mayRetry && (
              <Button kind="quiet" size="small" onClick={onRetry}>
                {t("refusal.retry")}
              </Button>
            )}
            {refusal.say === "not_together" && onSplit !== null && (
              <Button kind="quiet" size="small" onClick={onSplit}>
                {t("refusal.split")}
              </Button>
            )}
          </p>
        )}
      </Note>
    </div>
  );
}
