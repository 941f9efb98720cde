// The services of a team to choose from: what each is, how long it takes and what it costs.
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { Team, TeamService } from "~/api/schema";
import { duration } from "~/i18n/format";
import { priceWords } from "./price";

type ChoiceProps = {
  team: Team;
  chosen: TeamService | undefined;
  onChoose: (service: TeamService) => void;
};

export function ServiceChoice({ team, chosen, onChoose }: ChoiceProps) {
  const { t } = useTranslation("shop_appointments");
  const name = useId();
  return (
    <fieldset className="appt-choice">
      <legend>{t("service")}</legend>
      {team.services.map((service) => (
        <label key={service.name} className="appt-service">
          <input
            type="radio"
            name={name}
            checked={service.name === chosen?.name}
            onChange={() => onChoose(service)}
          />
          <span className="appt-service-words">
            <strong>
              <bdi>{service.title}</bdi>
            </strong>
            <span className="shop-quiet">{duration(service.minutes)}</span>
            {service.description !== undefined && service.description !== "" && (
              <span className="shop-quiet">
                <bdi>{service.description}</bdi>
              </span>
            )}
          </span>
          <span className="tabular appt-price">{priceWords(t, service.price, team.currency)}</span>
        </label>
      ))}
    </fieldset>
  );
}
