// Which month, and how long: for who has no exact dates yet.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "~/design";
import { LENGTH_NAMES, lengthOf, LENGTHS, monthsFrom, monthText, type AnyStay } from "./anyStay";

type ChoiceProps = { first: AnyStay; today: string; onChosen: (chosen: AnyStay) => void };

export function AnyStayChoice({ first, today, onChosen }: ChoiceProps) {
  const { t } = useTranslation("shop_stays");
  const months = monthsFrom(today);
  const [chosen, setChosen] = useState<AnyStay>(
    first.month === "" ? { month: months[0] ?? "", ...LENGTHS.weekend } : first,
  );
  const length = lengthOf(chosen);
  return (
    <>
      <Chips label={t("how_long")}>
        {LENGTH_NAMES.map((name) => (
          <Chip
            key={name}
            isChosen={name === length}
            text={t(`lengths.${name}`)}
            onChoose={() => setChosen({ ...chosen, ...LENGTHS[name] })}
          />
        ))}
        {length === undefined && (
          <Chip isChosen text={t("nights", { count: chosen.nights })} onChoose={() => undefined} />
        )}
      </Chips>
      <Chips label={t("which_month")}>
        {months.map((month) => (
          <Chip
            key={month}
            isChosen={month === chosen.month}
            text={monthText(month)}
            onChoose={() => setChosen({ ...chosen, month })}
          />
        ))}
      </Chips>
      <Button kind="primary" onClick={() => onChosen(chosen)}>
        {t("done")}
      </Button>
    </>
  );
}

function Chips({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <fieldset className="stays-choices">
      <legend>{label}</legend>
      {children}
    </fieldset>
  );
}

type ChipProps = { isChosen: boolean; text: string; onChoose: () => void };

function Chip({ isChosen, text, onChoose }: ChipProps) {
  return (
    <button type="button" className="stays-chip" aria-pressed={isChosen} onClick={onChoose}>
      {text}
    </button>
  );
}
