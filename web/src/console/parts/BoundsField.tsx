// The field for where a key or an operator is bound.
import { useTranslation } from "react-i18next";
import { Field } from "~/design";
import { boundsOf } from "./bounds";

type BoundsProps = { value: string; onChange: (value: string) => void };

export function BoundsField({ value, onChange }: BoundsProps) {
  const { t } = useTranslation("console");
  return (
    <Field
      label={t("bounds.label")}
      hint={t("bounds.hint")}
      error={boundsOf(value) === null ? t("bounds.mixed") : null}
      value={value}
      dir="ltr"
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
