// Units as text, grouped by row.
import { useTranslation } from "react-i18next";
import type { SeatsPlan } from "~/seatmap/plan";
import { groupUnits, seatNumbers, type SeatGroup } from "./units";
import { useNamed } from "./vocabulary";

type Line = { readonly unit?: string | null; readonly quantity?: number | null };

export function useGroupWords(): (group: SeatGroup, isShort?: boolean) => string {
  const { t } = useTranslation("shop");
  const named = useNamed();
  return (group, isShort = false) => {
    const name = named(group.name);
    if (group.kind === "area" || group.kind === "other") {
      return group.quantity === 1 && group.kind === "other"
        ? name
        : t("seats.area", { count: group.quantity, name });
    }
    const key = group.kind === "table" ? "table" : "row";
    const words = { name, seats: seatNumbers(group.seats), count: group.seats.length };
    return isShort ? t(`seats.${key}_short`, words) : t(`seats.${key}`, words);
  };
}

export function UnitList({ plan, lines }: { plan: SeatsPlan | null; lines: readonly Line[] }) {
  const words = useGroupWords();
  const named = useNamed();
  const groups = groupUnits(plan, lines);
  return (
    <ul role="list" className="shop-units">
      {groups.map((group) => (
        <li key={group.units.join(" ")}>
          <strong>
            <bdi>{words(group)}</bdi>
          </strong>
          {"section" in group && <span className="shop-quiet">{named(group.section)}</span>}
        </li>
      ))}
    </ul>
  );
}

export function useUnitNames(
  plan: SeatsPlan | null,
  isShort = true,
): (units: readonly string[]) => string {
  const words = useGroupWords();
  return (units) =>
    groupUnits(
      plan,
      units.map((unit) => ({ unit })),
    )
      .map((group) => words(group, isShort))
      .join(" · ");
}
