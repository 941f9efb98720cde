// How fast people are let in, and what a pass is good for.
import { useTranslation } from "react-i18next";
import { Field } from "~/design";
import { RadioGroup } from "../parts";
import { SPEED_NUMBERS, type Pace, type SpeedDraft } from "./roomDraft";

const PACES: readonly Pace[] = ["stock", "rate"];

type SpeedProps = {
  draft: SpeedDraft;
  faults: readonly string[];
  onChange: (part: Partial<SpeedDraft>) => void;
};

export function SpeedFields({ draft, faults, onChange }: SpeedProps) {
  const { t } = useTranslation("waiting_rooms");
  return (
    <>
      <RadioGroup
        label={t("form.pace")}
        value={draft.pace}
        onChange={(pace) => onChange({ pace })}
        choices={PACES.map((value) => ({
          value,
          title: t(`form.paces.${value}`),
          text: t(`form.paces.${value}_text`),
        }))}
      />
      <div className="programme-pair">
        {SPEED_NUMBERS.map((name) => (
          <Field
            key={name}
            label={t(`form.${name}`)}
            hint={t(`form.${name}_hint`)}
            error={faults.includes(name) ? t(`wrong.${name}`) : null}
            value={draft[name]}
            inputMode="numeric"
            maxLength={7}
            onChange={({ target }) => onChange({ [name]: target.value })}
          />
        ))}
      </div>
    </>
  );
}
