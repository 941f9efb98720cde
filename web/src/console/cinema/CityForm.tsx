// The fields of a city. Its clocks and its currency are asked for where it is new: they do not change.
import { useTranslation } from "react-i18next";
import { Field } from "~/design";
import { CountrySelect, CurrencyField, ZoneField } from "../merchant/PlaceFields";
import { FormPanel } from "../parts";
import { TranslationFields } from "../programme/TranslationFields";
import { type DraftForm, useDraft } from "../saving/useDraft";
import { type CityDraft, cityFaults } from "./cityDraft";

type Props = DraftForm<CityDraft> & { isNew: boolean };
type TextField = Exclude<keyof CityDraft, "translated">;

export function CityForm({ begin, edition, isNew, busy, refused, onChange, onSubmit }: Props) {
  const { t } = useTranslation("films");
  const { draft, faults, change, attempt } = useDraft(begin, cityFaults, {
    edition,
    busy,
    onChange,
  });
  const text = (name: TextField) => ({
    label: t(`city.${name}`),
    value: draft[name],
    error: faults.includes(name) ? t(`city.wrong.${name}`) : null,
    onChange: ({ target }: { target: { value: string } }) => change({ [name]: target.value }),
  });
  return (
    <FormPanel
      title={t("city.about")}
      verb={t(isNew ? "city.make" : "save")}
      busy={busy}
      refused={refused}
      onSubmit={() => attempt() && onSubmit(draft)}
    >
      <div className="programme-pair">
        <Field {...text("name")} maxLength={100} dir="auto" />
        <CountrySelect {...text("country")} notSaid={t("city.choose_country")} />
        {isNew && (
          <>
            <ZoneField {...text("zone")} hint={t("city.zone_hint")} />
            <CurrencyField {...text("currency")} hint={t("city.currency_hint")} />
          </>
        )}
      </div>
      <TranslationFields
        value={draft.translated}
        onChange={(translated) => change({ translated })}
        fields={[{ field: "name", label: t("city.name"), max: 100 }]}
      />
    </FormPanel>
  );
}
