// The rules of a waitlist: who is served first, how long one may think, and what else is taken.
import { useTranslation } from "react-i18next";
import { Field } from "~/design";
import { RadioGroup } from "../parts";
import { EXCHANGES, GOES_TO, numbersOf, POLICIES, type RulesDraft } from "./listDraft";

type RulesProps = {
  draft: RulesDraft;
  faults: readonly string[];
  onChange: (part: Partial<RulesDraft>) => void;
};

export function RulesFields({ draft, faults, onChange }: RulesProps) {
  const { t } = useTranslation("waitlists");
  return (
    <>
      <RadioGroup
        label={t("rules.policy")}
        value={draft.policy}
        onChange={(policy) => onChange({ policy })}
        choices={POLICIES.map((value) => ({
          value,
          title: t(`policies.${value}`),
          text: t(`policies_text.${value}`),
        }))}
      />
      <div className="programme-pair">
        {numbersOf(draft).map((name) => (
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
      <RadioGroup
        label={t("rules.goes_to")}
        value={draft.goesTo}
        onChange={(goesTo) => onChange({ goesTo })}
        choices={GOES_TO.map((value) => ({
          value,
          title: t(`rules.goes_to_${value}`),
          text: t(`form.goes_to_${value}`),
        }))}
      />
      <RadioGroup
        label={t("rules.exchange")}
        value={draft.exchange}
        onChange={(exchange) => onChange({ exchange })}
        choices={EXCHANGES.map((value) => ({
          value,
          title: t(`rules.exchange_${value}`),
          text: t(`form.exchange_${value}`),
        }))}
      />
    </>
  );
}
