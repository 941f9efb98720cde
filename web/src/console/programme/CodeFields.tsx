// Codes that take something off a price, or open a sale early; and from how much sold on a price rises.
import { useTranslation } from "react-i18next";
import { Button, Field, Note } from "~/design";
import { type CodeDraft, NEW_CODE, NEW_STEP, type StepDraft, type TermsDraft } from "./terms";

type Props = {
  draft: TermsDraft;
  currency: string;
  faults: readonly string[];
  onChange: (draft: TermsDraft) => void;
};

export function CodeFields({ draft, currency, faults, onChange }: Props) {
  const { t } = useTranslation("programme");
  const { codes } = draft;
  const set = (next: readonly CodeDraft[]) => onChange({ ...draft, codes: next });
  const put = (at: number, part: Partial<CodeDraft>) =>
    set((codes ?? []).map((one, place) => (place === at ? { ...one, ...part } : one)));
  const wrong = (at: number, name: string) =>
    faults.includes(`codes.${at}.${name}`) ? t(`terms.wrong.${name}`) : null;
  if (codes === null) return <Note>{t("terms.codes_many")}</Note>;
  return (
    <fieldset className="programme-fieldset">
      <legend>{t("terms.codes")}</legend>
      {codes.map((code, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- lines have no other name while typed
        <div key={at} className="programme-line">
          <Field
            label={t("terms.code")}
            value={code.code}
            maxLength={100}
            dir="auto"
            autoComplete="off"
            error={wrong(at, "name") ?? wrong(at, "twice")}
            onChange={({ target }) => put(at, { code: target.value })}
          />
          <Field
            label={t("terms.code_capacity")}
            value={code.capacity}
            inputMode="numeric"
            dir="ltr"
            maxLength={9}
            error={wrong(at, "capacity")}
            onChange={({ target }) => put(at, { capacity: target.value })}
          />
          <Field
            label={t("terms.code_share")}
            value={code.share}
            inputMode="decimal"
            dir="ltr"
            maxLength={6}
            error={wrong(at, "share")}
            onChange={({ target }) => put(at, { share: target.value })}
          />
          <Field
            label={t("terms.code_amount", { currency: currency.toUpperCase() })}
            value={code.amount}
            inputMode="decimal"
            dir="ltr"
            maxLength={16}
            error={wrong(at, "amount")}
            onChange={({ target }) => put(at, { amount: target.value })}
          />
          <label className="console-tick">
            <input
              type="checkbox"
              checked={code.isPresale}
              onChange={({ target }) => put(at, { isPresale: target.checked })}
            />
            {t("terms.code_presale")}
          </label>
          <Button
            kind="bare"
            size="small"
            onClick={() => set(codes.filter((_, place) => place !== at))}
          >
            {t("terms.remove_code", { number: at + 1 })}
          </Button>
        </div>
      ))}
      <Button kind="quiet" size="small" onClick={() => set([...codes, NEW_CODE])}>
        {t("terms.add_code")}
      </Button>
    </fieldset>
  );
}

export function StepFields({ draft, faults, onChange }: Omit<Props, "currency">) {
  const { t } = useTranslation("programme");
  const { steps } = draft;
  const set = (next: readonly StepDraft[]) => onChange({ ...draft, steps: next });
  const put = (at: number, part: Partial<StepDraft>) =>
    set((steps ?? []).map((one, place) => (place === at ? { ...one, ...part } : one)));
  const wrong = (at: number, name: "from" | "share") =>
    faults.includes(`steps.${at}.${name}`) ? t(`terms.wrong.${name}`) : null;
  return (
    <fieldset className="programme-fieldset">
      <legend>{t("terms.steps")}</legend>
      {steps === null ? (
        <Note>{t("terms.steps_other")}</Note>
      ) : (
        <>
          {steps.map((step, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- lines have no other name while typed
            <div key={at} className="programme-line">
              <Field
                label={t("terms.step_from")}
                value={step.from}
                inputMode="decimal"
                dir="ltr"
                maxLength={6}
                error={wrong(at, "from")}
                onChange={({ target }) => put(at, { from: target.value })}
              />
              <Field
                label={t("terms.step_share")}
                value={step.share}
                inputMode="decimal"
                dir="ltr"
                maxLength={6}
                error={wrong(at, "share")}
                onChange={({ target }) => put(at, { share: target.value })}
              />
              <Button
                kind="bare"
                size="small"
                onClick={() => set(steps.filter((_, place) => place !== at))}
              >
                {t("terms.remove_step", { number: at + 1 })}
              </Button>
            </div>
          ))}
          <Button kind="quiet" size="small" onClick={() => set([...steps, NEW_STEP])}>
            {t("terms.add_step")}
          </Button>
        </>
      )}
    </fieldset>
  );
}
