// The rules of a plan of nights as lines: for a date the later of two wins.
import { useTranslation } from "react-i18next";
import { Button, Field } from "~/design";
import { NEW_RULE, type RuleDraft } from "./rules";
import { WeekdayTicks } from "../programme/WeekdayTicks";

type Props = {
  rules: readonly RuleDraft[];
  currency: string;
  faults: readonly string[];
  onChange: (rules: readonly RuleDraft[]) => void;
};
type RuleProps = {
  rule: RuleDraft;
  at: number;
  number: number;
  currency: string;
  faults: readonly string[];
  onChange: (part: Partial<RuleDraft>) => void;
  onRemove: () => void;
};

export function RuleFields({ rules, currency, faults, onChange }: Props) {
  const { t } = useTranslation("stays");
  // Suggested prices stay where they are among the rules, and are worked on at a page of their own.
  const own = rules.flatMap((rule, at) => (rule.kept.suggested ? [] : [{ rule, at }]));
  return (
    <fieldset className="programme-fieldset">
      <legend>{t("rules.title")}</legend>
      <p className="console-quiet">{t("rules.text")}</p>
      {own.length < rules.length && <p className="console-quiet">{t("rules.suggested")}</p>}
      {own.map(({ rule, at }, index) => (
        <RuleLine
          // oxlint-disable-next-line react/no-array-index-key -- lines have no other name while typed
          key={at}
          rule={rule}
          at={at}
          number={index + 1}
          currency={currency}
          faults={faults}
          onChange={(part) =>
            onChange(rules.map((one, place) => (place === at ? { ...one, ...part } : one)))
          }
          onRemove={() => onChange(rules.filter((_, place) => place !== at))}
        />
      ))}
      <Button kind="quiet" size="small" onClick={() => onChange([...rules, NEW_RULE])}>
        {t("rules.add")}
      </Button>
    </fieldset>
  );
}

function RuleLine(props: RuleProps) {
  const { rule, at, number, faults, onChange, onRemove } = props;
  const { t } = useTranslation("stays");
  return (
    <div className="stays-rule" role="group" aria-label={t("rules.one", { number })}>
      <RuleTexts {...props} />
      <WeekdayTicks
        legend={t("rules.days")}
        days={rule.days}
        onChange={(days) => onChange({ days })}
      />
      <RuleTicks {...props} />
      {faults.includes(`rules.${at}.says`) && (
        <p className="field-error" role="alert">
          {t("rules.wrong.says")}
        </p>
      )}
      {Object.keys(rule.kept).length > 0 && <p className="console-quiet">{t("rules.more")}</p>}
      <Button kind="bare" size="small" onClick={onRemove}>
        {t("rules.remove", { number })}
      </Button>
    </div>
  );
}

function RuleTexts({ rule, at, currency, faults, onChange }: RuleProps) {
  const { t } = useTranslation("stays");
  const text = (name: "from" | "last" | "price" | "minNights" | "minThrough") => ({
    label: t(`rules.${name}`, { currency }),
    value: rule[name],
    error: faults.includes(`rules.${at}.${name}`) ? t(`rules.wrong.${name}`) : null,
    onChange: ({ target }: { target: { value: string } }) => onChange({ [name]: target.value }),
  });
  return (
    <div className="stays-rule-fields">
      <Field {...text("from")} type="date" />
      <Field {...text("last")} type="date" />
      <Field {...text("price")} inputMode="decimal" maxLength={16} dir="ltr" />
      <Field {...text("minNights")} inputMode="numeric" maxLength={3} dir="ltr" />
      <Field {...text("minThrough")} inputMode="numeric" maxLength={3} dir="ltr" />
    </div>
  );
}

function RuleTicks({ rule, onChange }: RuleProps) {
  const { t } = useTranslation("stays");
  return (
    <div className="stays-ticks">
      {(["isClosed", "noArrival", "noDeparture"] as const).map((name) => (
        <label key={name} className="console-tick">
          <input
            type="checkbox"
            checked={rule[name]}
            onChange={({ target }) => onChange({ [name]: target.checked })}
          />
          {t(`rules.${name}`)}
        </label>
      ))}
    </div>
  );
}
