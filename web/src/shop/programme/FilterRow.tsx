// The filters of the events: kind, place and days.
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Venue } from "~/api/schema";
import { Field, Icon } from "~/design";
import { countOfFilters, NO_FILTERS, type Filters, type When } from "./filters";
import { groupedBy } from "./groups";
import { isKind, KINDS } from "./kinds";

type FilterRowProps = {
  filters: Filters;
  venues: readonly Venue[];
  today: string;
  onChange: (part: Partial<Filters>) => void;
};

const WHENS = ["today", "weekend", "range"] as const satisfies readonly When[];
const CITY = "city:";

export function FilterRow({ filters, venues, today, onChange }: FilterRowProps) {
  const { t } = useTranslation("shop_events");
  const isList = filters.view === "list";
  return (
    <div className="events-filters">
      <Pill
        label={t("kind")}
        value={filters.kind}
        onChange={(kind) => onChange({ kind: isKind(kind) ? kind : "" })}
      >
        <option value="">{t("any_kind")}</option>
        {KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {t(`kinds.${kind}`)}
          </option>
        ))}
      </Pill>
      {venues.length > 1 && <PlacePill {...{ filters, venues, onChange }} />}
      {isList && (
        <Pill
          label={t("when")}
          value={filters.when}
          onChange={(text) => {
            const when = WHENS.find((one) => one === text) ?? "";
            onChange({ when, from: when === "range" ? today : "", to: "" });
          }}
        >
          <option value="">{t("any_date")}</option>
          {WHENS.map((when) => (
            <option key={when} value={when}>
              {t(when)}
            </option>
          ))}
        </Pill>
      )}
      {countOfFilters(filters) > 0 && (
        <button
          type="button"
          className="events-clear"
          onClick={() => onChange({ ...NO_FILTERS, view: filters.view, month: filters.month })}
        >
          {t("clear")}
        </button>
      )}
      {isList && filters.when === "range" && (
        <div className="events-range">
          <Field
            type="date"
            label={t("from")}
            min={today}
            value={filters.from}
            onChange={(event) => onChange({ from: event.target.value })}
          />
          <Field
            type="date"
            label={t("to")}
            min={filters.from || today}
            value={filters.to}
            onChange={(event) => onChange({ to: event.target.value })}
          />
        </div>
      )}
    </div>
  );
}

/** Cities with several venues can be asked for as a whole. */
function PlacePill({ filters, venues, onChange }: Omit<FilterRowProps, "today">) {
  const { t } = useTranslation("shop_events");
  const cities = groupedBy(venues, ({ city }) => city);
  return (
    <Pill
      label={t("place")}
      value={filters.city === "" ? filters.venue : CITY + filters.city}
      onChange={(text) =>
        onChange(
          text.startsWith(CITY)
            ? { city: text.slice(CITY.length), venue: "" }
            : { city: "", venue: text },
        )
      }
    >
      <option value="">{t("any_place")}</option>
      {[...cities].map(([city, own]) => (
        <optgroup key={city} label={city || t("elsewhere")}>
          {own.length > 1 && city !== "" && (
            <option value={CITY + city}>{t("all_of", { city })}</option>
          )}
          {own.map((venue) => (
            <option key={venue.id} value={venue.id}>
              {venue.name}
            </option>
          ))}
        </optgroup>
      ))}
    </Pill>
  );
}

type PillProps = {
  label: string;
  value: string;
  onChange: (value: string) => void;
  children: ReactNode;
};

function Pill({ label, value, onChange, children }: PillProps) {
  return (
    <label className="events-pill" data-chosen={value !== "" || undefined}>
      <span className="visually-hidden">{label}</span>
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        {children}
      </select>
      <Icon name="down" size={14} />
    </label>
  );
}
