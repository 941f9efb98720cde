// Times that are free in place of the one that was refused, as buttons.
import { useTranslation } from "react-i18next";
import type { Team } from "~/api/schema";
import { Button } from "~/design";
import { titleOf } from "./choice";
import type { Offered } from "./refusal";
import { SHORT_WHEN, whenWords } from "./when";

/** The id of the heading above what was chosen. */
export const BOX = "appt-box";

type OtherProps = {
  team: Team;
  times: readonly Offered[];
  onChoose: (time: Offered) => void;
};

export function OtherTimes({ team, times, onChoose }: OtherProps) {
  const { t } = useTranslation("shop_appointments");
  return (
    <div className="appt-others" role="group" aria-label={t("other_times")}>
      <p>{t("other_times")}</p>
      {times.map((one) => (
        <Button
          key={`${one.from} ${one.provider}`}
          kind="quiet"
          size="small"
          onClick={() => {
            onChoose(one);
            // These buttons go away, and the focus would with them.
            document.getElementById(BOX)?.focus();
          }}
        >
          <span>
            {whenWords(one.from, SHORT_WHEN, team)}
            {one.provider !== "" && (
              <>
                {" · "}
                <bdi>{titleOf(team.providers, one.provider)}</bdi>
              </>
            )}
          </span>
        </Button>
      ))}
    </div>
  );
}
