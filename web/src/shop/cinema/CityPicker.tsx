// The select of the city in the header.
import { useTranslation } from "react-i18next";
import { Icon } from "~/design";
import { useCity } from "./city";

export function CityPicker() {
  const { t } = useTranslation("cinema");
  const { cities, city, choose } = useCity();
  if (cities === undefined || city === undefined) return null;
  return (
    <label className="cinema-city">
      <Icon name="pin" size={18} />
      <span className="visually-hidden">{t("city")}</span>
      <select value={city.id} onChange={(event) => choose(event.target.value)}>
        {cities.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name}
          </option>
        ))}
      </select>
      <Icon name="down" size={14} />
    </label>
  );
}
