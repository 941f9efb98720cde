// Times that are free in place of the one that was refused, as buttons.
import { useTranslation } from "react-i18next";
import type { Team } from "~/api/schema";
import { Button } from "~/design";
import { eventTime } from "~/i18n/format";
import { titleOf } from "./choice";
import type { Offered } from "./refusal";
import { SHORT_WHEN } from "./when";

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
          onClick={() => onChoose(one)}
        >
          <span>
            {eventTime(one.from, SHORT_WHEN, team.time_zone)}
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
