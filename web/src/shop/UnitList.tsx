// Units as text, grouped by row.
import { useTranslation } from "react-i18next";
import type { Resource } from "~/api/schema";
import type { SeatsPlan } from "~/seatmap/plan";
import { nightsText } from "./nights";
import { rangeWords } from "./rangeWords";
import { groupUnits, seatNumbers, type SeatGroup } from "./units";
import { useResource } from "./useResource";
import { useNamed } from "./vocabulary";
import { wordingOf } from "./wording";

type Line = {
  readonly resource_id?: string;
  readonly unit?: string | null;
  readonly quantity?: number | null;
  readonly from?: string | null;
  readonly to?: string | null;
  readonly guests?: number | null;
  readonly rate?: string | null;
};

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

type ListProps = {
  plan: SeatsPlan | null;
  lines: readonly Line[];
  /** Says when lines with times are, and from where to where those of a run. */
  of?: Resource | undefined;
};

export function UnitList({ plan, lines, of }: ListProps) {
  const words = useGroupWords();
  const named = useNamed();
  const [stays, rest] = splitStays(lines);
  const [ranged, others] = of === undefined ? [[], rest] : splitRanged(rest);
  const groups = groupUnits(plan, others);
  const places = new Set(stays.map((line) => line.resource_id)).size;
  return (
    <ul role="list" className="shop-units">
      {stays.map((line) => (
        <li key={`${line.resource_id} ${line.from} ${line.to} ${line.unit} ${line.rate}`}>
          <Stay line={line} isOnly={stays.length === 1} />
          {places > 1 && (
            <span className="shop-units-of">
              <ResourceName id={line.resource_id ?? ""} />
            </span>
          )}
        </li>
      ))}
      {of !== undefined &&
        ranged.map((line) => (
          <li key={`${line.from} ${line.to} ${line.unit} ${line.rate}`}>
            <Ranged line={line} of={of} />
          </li>
        ))}
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

/** Lines of nights, and all others. */
function splitStays(lines: readonly Line[]): [Line[], Line[]] {
  const isStay = (line: Line) => wordingOf([line]) === "stay";
  return [lines.filter(isStay), lines.filter((line) => !isStay(line))];
}

/** Other lines with a range: times, or legs of a run; and all others. */
function splitRanged(lines: readonly Line[]): [Line[], Line[]] {
  const isRanged = ({ from }: Line) => from !== undefined && from !== null && from !== "";
  return [lines.filter(isRanged), lines.filter((line) => !isRanged(line))];
}

function Ranged({ line, of }: { line: Line; of: Resource }) {
  const { t } = useTranslation("shop");
  const named = useNamed();
  const { from, to, unit, quantity, rate } = line;
  const name = [rate, unit].flatMap((one) => (one ? [named(one)] : [])).join(" · ");
  const count = quantity ?? 1;
  return (
    <>
      <strong>
        <bdi>{rangeWords(of, from ?? undefined, to ?? undefined)}</bdi>
      </strong>
      {(name !== "" || count > 1) && (
        <span className="shop-quiet">
          <bdi>{count > 1 ? t("seats.area", { count, name }) : name}</bdi>
        </span>
      )}
    </>
  );
}

/** What a line is of, as its owner named it. */
export function ResourceName({ id }: { id: string }) {
  const { data: resource } = useResource(id);
  return <bdi>{resource?.name}</bdi>;
}

function Stay({ line, isOnly }: { line: Line; isOnly: boolean }) {
  const { t } = useTranslation("shop");
  const named = useNamed();
  const { from, to, unit, guests, rate } = line;
  const rooms = line.quantity ?? 1;
  const facts = [
    unit && !isOnly ? named(unit) : "",
    rooms > 1 ? t("bookings.count", { count: rooms, context: "stay" }) : "",
    guests ? t("seats.guests", { count: guests }) : "",
    rate ? named(rate) : "",
  ].filter(Boolean);
  return (
    <>
      <strong>{nightsText(t, from ?? "", to ?? "")}</strong>
      {facts.length > 0 && (
        <span className="shop-quiet">
          <bdi>{facts.join(" · ")}</bdi>
        </span>
      )}
    </>
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
