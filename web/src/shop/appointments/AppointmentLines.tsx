// The appointments of a hold or a booking: what, when and with whom.
import { useTranslation } from "react-i18next";
import type { Resource } from "~/api/schema";
import { rangeWords } from "../rangeWords";
import type { ShownLine } from "../verticals";
import { useTeamOf } from "./catalog";
import { titleOf } from "./choice";
import "./appointments.css";

type LinesProps = { resource: Resource; lines: readonly ShownLine[] };

export function AppointmentLines({ resource, lines }: LinesProps) {
  const { t } = useTranslation("shop_appointments");
  const team = useTeamOf(resource.id);
  return (
    <ul role="list" className="shop-units">
      {lines.map(({ unit, from, to, rate, quantity }) => (
        <li key={`${from} ${unit} ${rate}`}>
          {rate && (
            <strong>
              <bdi>{titleOf(team?.services ?? [], rate)}</bdi>
            </strong>
          )}
          <span>{rangeWords(resource, from ?? undefined, to ?? undefined)}</span>
          {unit && (
            <span className="shop-quiet">
              <bdi>{titleOf(team?.providers ?? [], unit)}</bdi>
            </span>
          )}
          {(quantity ?? 1) > 1 && (
            <span className="shop-quiet">{t("places", { count: quantity ?? 1 })}</span>
          )}
        </li>
      ))}
    </ul>
  );
}
