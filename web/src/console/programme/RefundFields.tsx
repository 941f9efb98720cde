// What a cancellation gives back, and until when: a line for each step.
import { useTranslation } from "react-i18next";
import { Button, Field, Select } from "~/design";
import { RadioGroup } from "../parts";
import {
  nextStep,
  REFUND_STEPS_MAX,
  type RefundDraft,
  type RefundStepDraft,
  type Span,
} from "./refundTerms";

type Props = {
  draft: RefundDraft;
  hasFees: boolean;
  faults: readonly string[];
  onChange: (draft: RefundDraft) => void;
};

export function RefundFields({ draft, hasFees, faults, onChange }: Props) {
  const { t } = useTranslation("programme");
  const put = (part: Partial<RefundDraft>) => onChange({ ...draft, ...part });
  const policies = ["unsaid", "until", "never"] as const;
  const shown = draft.is === "other" ? ([...policies, "other"] as const) : policies;
  return (
    <>
      <RadioGroup
        label={t("terms.refund")}
        value={draft.is}
        onChange={(is) => put({ is })}
        choices={shown.map((is) => ({
          value: is,
          title: t(`terms.refunds.${is}`),
          text: t(`terms.refund_text.${is}`),
        }))}
      />
      {draft.is === "until" && <Steps draft={draft} faults={faults} put={put} />}
      {draft.is === "until" && hasFees && (
        <label className="console-tick">
          <input
            type="checkbox"
            checked={draft.feesBack}
            onChange={({ target }) => put({ feesBack: target.checked })}
          />
          {t("terms.fees_back")}
        </label>
      )}
    </>
  );
}

type StepsProps = Pick<Props, "draft" | "faults"> & { put: (part: Partial<RefundDraft>) => void };

function Steps({ draft, faults, put }: StepsProps) {
  const { t } = useTranslation("programme");
  const { full, steps } = draft;
  const change = (at: number, part: Partial<RefundStepDraft>) =>
    put({ steps: steps.map((one, place) => (place === at ? { ...one, ...part } : one)) });
  const wrong = (name: string, words: string) =>
    faults.includes(`refund.${name}`) ? t(`terms.wrong.${words}`) : null;
  return (
    <fieldset className="programme-fieldset">
      <legend>{t("terms.back_until")}</legend>
      <div className="programme-line">
        <SpanFields
          label={t("terms.full_until")}
          span={full}
          error={wrong("full", "span")}
          onChange={(span) => put({ full: { ...full, ...span } })}
        />
      </div>
      {steps.map((step, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- lines have no other name while typed
        <div key={at} className="programme-line">
          <Field
            label={t("terms.back_share", { number: at + 1 })}
            value={step.share}
            inputMode="decimal"
            dir="ltr"
            maxLength={6}
            error={wrong(`steps.${at}.share`, "less")}
            onChange={({ target }) => change(at, { share: target.value })}
          />
          <SpanFields
            label={t("terms.share_until", { number: at + 1 })}
            span={step}
            error={wrong(`steps.${at}.count`, "later")}
            onChange={(span) => change(at, span)}
          />
          <Button
            kind="bare"
            size="small"
            onClick={() => put({ steps: steps.filter((_, place) => place !== at) })}
          >
            {t("terms.remove_refund_step", { number: at + 1 })}
          </Button>
        </div>
      ))}
      <p className="console-quiet">
        {t("terms.then_nothing")} {t("terms.zero_hint")}
      </p>
      {steps.length < REFUND_STEPS_MAX && (
        <Button
          kind="quiet"
          size="small"
          onClick={() => put({ steps: [...steps, nextStep(draft)] })}
        >
          {t("terms.add_refund_step")}
        </Button>
      )}
    </fieldset>
  );
}

type SpanProps = {
  label: string;
  span: Span;
  error: string | null;
  onChange: (part: Partial<Span>) => void;
};

function SpanFields({ label, span, error, onChange }: SpanProps) {
  const { t } = useTranslation("programme");
  return (
    <>
      <Field
        label={label}
        value={span.count}
        inputMode="numeric"
        dir="ltr"
        maxLength={4}
        error={error}
        onChange={({ target }) => onChange({ count: target.value })}
      />
      <Select
        label={t("terms.unit_of", { label })}
        value={span.unit}
        onChange={({ target }) => onChange({ unit: target.value === "hours" ? "hours" : "days" })}
      >
        <option value="days">{t("terms.unit_days")}</option>
        <option value="hours">{t("terms.unit_hours")}</option>
      </Select>
    </>
  );
}
