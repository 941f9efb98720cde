// The country, the time zone and the currency of whatever is somewhere: a merchant, a venue, a property, a team.
import { type ComponentProps, useId, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Field, Select } from "~/design";
import { countries, currencies, timeZones } from "./places";

/** All countries in the language of the page, and first that none is said. */
export function CountrySelect({
  notSaid,
  ...of
}: Omit<ComponentProps<typeof Select>, "children"> & { notSaid: string }) {
  const { i18n } = useTranslation();
  const places = useMemo(() => countries(i18n.language), [i18n.language]);
  return (
    <Select {...of}>
      <option value="">{notSaid}</option>
      {places.map(({ code, name }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </Select>
  );
}

/** A time zone by its name, with those that the browser knows to choose from. */
export function ZoneField(of: ComponentProps<typeof Field>) {
  const listId = useId();
  return (
    <>
      <Field {...of} list={listId} maxLength={60} dir="ltr" />
      <datalist id={listId}>
        {timeZones().map((zone) => (
          <option key={zone} value={zone}>
            {zone}
          </option>
        ))}
      </datalist>
    </>
  );
}

/** A currency by its three letters, with those that the browser knows to choose from. */
export function CurrencyField(of: ComponentProps<typeof Field>) {
  const listId = useId();
  return (
    <>
      <Field {...of} list={listId} maxLength={3} dir="ltr" />
      <datalist id={listId}>
        {currencies().map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </datalist>
    </>
  );
}
