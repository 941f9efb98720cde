// Where: a town, with suggestions while one types.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { StayPlace } from "~/api/schema";
import { Combobox } from "../search/Combobox";
import { useTowns } from "./catalog";
import { TEXT_MAX, type Wishes } from "./filters";
import { countryName } from "./facts";

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
      keyOf={({ name, country }) => `${name} ${country}`}
      show={(town) => <Town town={town} />}
      listLabel={t("towns")}
      told={(count) => t("towns_told", { count })}
      onChoose={(town) => onChange(at(town))}
      // The town is looked up by the page.
      onSearch={(place) => onChange({ place, lat: null, lon: null, box: "" })}
      onClear={() => undefined}
    />
  );
}

export function at({ name, lat, lon }: StayPlace): Partial<Wishes> {
  return { place: name, lat, lon, box: "" };
}

function Town({ town }: { town: StayPlace }) {
  const { t } = useTranslation("shop_stays");
  return (
    <span className="stay-town">
      <strong>
        <bdi>{town.name}</bdi>
      </strong>
      <span className="shop-quiet">
        {[countryName(town.country), t("places", { count: town.listings })]
          .filter(Boolean)
          .join(" · ")}
      </span>
    </span>
  );
}
