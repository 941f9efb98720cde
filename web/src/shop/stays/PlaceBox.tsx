// Where: a town, with suggestions while one types. In a town of the gazetteer nothing is let, but near it.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { StayPlace } from "~/api/schema";
import { Combobox } from "../search/Combobox";
import { useTowns } from "./catalog";
import { TEXT_MAX, type Wishes } from "./filters";
import { countryName, distance } from "./facts";

/** Whose data the towns of the gazetteer are: their licence (CC BY 4.0) wants it said. */
const CREDIT = "GeoNames";

type PlaceProps = { value: string; onChange: (part: Partial<Wishes>) => void };

export function PlaceBox({ value, onChange }: PlaceProps) {
  const { t } = useTranslation("shop_stays");
  const [asked, ask] = useState<string | null>(null);
  const towns = useTowns(asked) ?? [];
  return (
    <Combobox
      icon="pin"
      label={t("where")}
      placeholder={t("where_hint")}
      value={value}
      textMax={TEXT_MAX}
      lettersMin={0}
      items={towns}
      onAsk={ask}
      keyOf={({ name, country, lat, lon }) => `${name} ${country} ${lat} ${lon}`}
      show={(town) => <Town town={town} />}
      listLabel={t("towns")}
      told={(count) => t("towns_told", { count })}
      onChoose={(town) => onChange(at(town))}
      // The town is looked up by the page.
      onSearch={(place) => onChange({ place, lat: null, lon: null, radius: null, box: "" })}
      onClear={() => undefined}
    />
  );
}

/** There; around a town of the gazetteer, as far as its listings were counted. */
export function at({ name, lat, lon, radius }: StayPlace): Partial<Wishes> {
  return { place: name, lat, lon, radius, box: "" };
}

function Town({ town }: { town: StayPlace }) {
  const { t } = useTranslation("shop_stays");
  const isNear = town.source === "gazetteer";
  const listings = isNear
    ? [t("places_near", { count: town.listings, distance: distance(town.radius ?? 0) }), CREDIT]
    : [t("places", { count: town.listings })];
  return (
    <span className="stay-town">
      <strong>
        <bdi>{isNear ? t("near", { place: town.name }) : town.name}</bdi>
      </strong>
      <span className="shop-quiet">
        {[countryName(town.country), ...listings].filter(Boolean).join(" · ")}
      </span>
    </span>
  );
}
