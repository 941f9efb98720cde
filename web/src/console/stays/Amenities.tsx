// What there is, to be ticked.
import { useTranslation } from "react-i18next";
import { AMENITIES, type AmenityName } from "~/shop/stays/words";

type Props = {
  label: string;
  value: readonly AmenityName[];
  onChange: (value: readonly AmenityName[]) => void;
};

export function Amenities({ label, value, onChange }: Props) {
  const { t } = useTranslation("shop_stays");
  return (
    <fieldset className="programme-fieldset">
      <legend>{label}</legend>
      <div className="stays-ticks">
        {AMENITIES.map((name) => (
          <label key={name} className="console-tick">
            <input
              type="checkbox"
              checked={value.includes(name)}
              onChange={({ target }) =>
                onChange(
                  target.checked ? [...value, name] : value.filter((other) => other !== name),
                )
              }
            />
            {t(`amenities.${name}`)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
