// A number with a button for one less and one for one more.
import { useTranslation } from "react-i18next";
import { Icon } from "~/design";
import { number } from "~/i18n/format";
import "./stepper.css";

type StepperProps = {
  label: string;
  value: number;
  min?: number;
  max: number;
  onChange: (value: number) => void;
};

export function Stepper({ label, value, min = 1, max, onChange }: StepperProps) {
  const { t } = useTranslation("shop");
  return (
    <div className="field" role="group" aria-label={label}>
      <span className="field-label" aria-hidden="true">
        {label}
      </span>
      <div className="shop-stepper">
        <button
          type="button"
          aria-label={t("best.fewer")}
          disabled={value <= min}
          onClick={() => onChange(value - 1)}
        >
          <Icon name="minus" />
        </button>
        <output aria-live="polite">{number(value)}</output>
        <button
          type="button"
          aria-label={t("best.more")}
          disabled={value >= max}
          onClick={() => onChange(value + 1)}
        >
          <Icon name="plus" />
        </button>
      </div>
    </div>
  );
}
