// What a team is called, and where it is.
import { useTranslation } from "react-i18next";
import { Field, TextArea } from "~/design";
import { CountrySelect, ZoneField } from "../merchant/PlaceFields";
import type { TeamDraft } from "./teamDraft";

export type TeamFieldsProps = {
  draft: TeamDraft;
  faults: readonly string[];
  /** A team that is there keeps its clocks and its currency. */
  isNew: boolean;
  onChange: (part: Partial<TeamDraft>) => void;
};
type TextName = {
  [Name in keyof TeamDraft]: TeamDraft[Name] extends string ? Name : never;
}[keyof TeamDraft];

/** What a field of text has: its words, its value, and what is wrong with it. */
export function useText({ draft, faults, onChange }: TeamFieldsProps) {
  const { t } = useTranslation("appointments");
  return (name: TextName) => ({
    label: t(`team.${name}`),
    value: draft[name],
    error: faults.includes(name) ? t(`team.wrong.${name}`) : null,
    onChange: ({ target }: { target: { value: string } }) => onChange({ [name]: target.value }),
  });
}

export function AboutFields(props: TeamFieldsProps) {
  const { t } = useTranslation("appointments");
  const text = useText(props);
  return (
    <>
      <Field {...text("name")} hint={t("team.name_hint")} maxLength={100} dir="auto" />
      <Field {...text("summary")} hint={t("team.summary_hint")} maxLength={300} dir="auto" />
      <TextArea {...text("description")} rows={4} maxLength={8000} dir="auto" />
      <Field {...text("address")} hint={t("team.address_hint")} maxLength={300} dir="auto" />
      <div className="programme-pair">
        <Field {...text("city")} maxLength={100} dir="auto" />
        <CountrySelect {...text("country")} notSaid={t("team.not_said")} />
      </div>
      <ZoneField
        {...text("zone")}
        hint={t(props.isNew ? "team.zone_hint" : "team.zone_stays")}
        readOnly={!props.isNew}
      />
    </>
  );
}
