// The fields of a screen, new or known: its name, what there is, and how long it is cleaned.
import { useTranslation } from "react-i18next";
import { Field, TextArea } from "~/design";
import type { ScreenDraft } from "./screenDraft";

type Props = {
  draft: ScreenDraft;
  faults: readonly string[];
  onChange: (part: Partial<ScreenDraft>) => void;
};

export function ScreenFields({ draft, faults, onChange }: Props) {
  const { t } = useTranslation("films");
  const text = (name: "name" | "features" | "cleaning") => ({
    label: t(`screen.${name}`),
    value: draft[name],
    error: faults.includes(name) ? t(`screen.wrong.${name}`) : null,
    onChange: ({ target }: { target: { value: string } }) => onChange({ [name]: target.value }),
  });
  return (
    <>
      <div className="programme-pair">
        <Field {...text("name")} maxLength={100} dir="auto" />
        <Field
          {...text("cleaning")}
          hint={t("screen.cleaning_hint")}
          inputMode="numeric"
          maxLength={3}
        />
      </div>
      <TextArea {...text("features")} hint={t("screen.features_hint")} rows={2} dir="auto" />
    </>
  );
}
