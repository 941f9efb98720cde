// The fields of a cinema, and by what its shows are sold. Its city is asked for where it is new: a cinema does
// not move.
import { useTranslation } from "react-i18next";
import type { City } from "~/api/schema";
import { Field, Select } from "~/design";
import { FormPanel } from "../parts";
import { TermsFields } from "../programme/TermsFields";
import { TranslationFields } from "../programme/TranslationFields";
import { type DraftForm, useDraft } from "../saving/useDraft";
import { type CinemaDraft, cinemaFaults, cinemaTexts } from "./cinemaDraft";

type Props = DraftForm<CinemaDraft> & {
  /** Where it may be; null: it is there. */
  cities: readonly City[] | null;
  currencyOf: (city: string) => string;
};
type TextField = Exclude<keyof CinemaDraft, "translated" | "terms">;

const TEXT_MAX = { name: 100, address: 300 };

export function CinemaForm(props: Props) {
  const { begin, edition, cities, currencyOf, busy, refused, onChange, onSubmit } = props;
  const { t } = useTranslation("films");
  const faultsOf = (of: CinemaDraft) => cinemaFaults(of, currencyOf(of.city));
  const { draft, faults, change, attempt } = useDraft(begin, faultsOf, { edition, busy, onChange });
  const text = (name: TextField) => ({
    label: t(`cinema.${name}`),
    value: draft[name],
    error: faults.includes(name) ? t(`cinema.wrong.${name}`) : null,
    onChange: ({ target }: { target: { value: string } }) => change({ [name]: target.value }),
  });
  return (
    <FormPanel
      title={t("cinema.about")}
      verb={t(cities === null ? "save" : "cinema.make")}
      busy={busy}
      refused={refused}
      onSubmit={() => attempt() && onSubmit(draft)}
    >
      {cities !== null && (
        <Select {...text("city")}>
          <option value="">{t("cinema.choose_city")}</option>
          {cities.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      )}
      <Field {...text("name")} maxLength={TEXT_MAX.name} dir="auto" />
      <Field
        {...text("address")}
        hint={t("cinema.address_hint")}
        maxLength={TEXT_MAX.address}
        dir="auto"
      />
      <h3>{t("cinema.terms")}</h3>
      <p className="console-quiet">{t("cinema.terms_text")}</p>
      <TermsFields
        draft={draft.terms}
        currency={currencyOf(draft.city)}
        isFree={false}
        faults={faults}
        onChange={(terms) => change({ terms })}
      />
      <TranslationFields
        value={draft.translated}
        onChange={(translated) => change({ translated })}
        fields={Object.entries({ name: "", address: "", ...cinemaTexts(draft) }).map(
          ([field, label]) =>
            field === "name" || field === "address"
              ? { field, label: t(`cinema.${field}`), max: TEXT_MAX[field] }
              : { field, label, max: TEXT_MAX.name },
        )}
      />
    </FormPanel>
  );
}
