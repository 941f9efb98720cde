// The two fields of a range of days in a table's filters.
import { useTranslation } from "react-i18next";
import { Field } from "~/design";

type Range = { from: string; to: string };
type DateRangeProps = Range & { onChange: (changed: Partial<Range>) => void };

export function DateRange({ from, to, onChange }: DateRangeProps) {
  const { t } = useTranslation("console");
  return (
    <>
      <Field
        label={t("filters.from")}
        type="date"
        value={from}
        onChange={(event) => onChange({ from: event.target.value })}
      />
      <Field
        label={t("filters.to")}
        type="date"
        value={to}
        onChange={(event) => onChange({ to: event.target.value })}
      />
    </>
  );
}
