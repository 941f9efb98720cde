// The questions of a checkout, to be written: what is asked, how it is answered, and by whom.
import { useTranslation } from "react-i18next";
import { Button, Field, Select, TextArea } from "~/design";
import { newQuestion, type QuestionDraft, QUESTIONS_MAX, TEXT_MAX } from "./drafts";

type Props = {
  drafts: readonly QuestionDraft[];
  faults: readonly string[];
  onChange: (drafts: readonly QuestionDraft[]) => void;
};

export function QuestionFields({ drafts, faults, onChange }: Props) {
  const { t } = useTranslation("console");
  return (
    <>
      {drafts.map((draft, at) => (
        <QuestionFieldset
          key={draft.key}
          draft={draft}
          number={at + 1}
          fault={(name) => faults.includes(`${at}.${name}`)}
          onChange={(part) =>
            onChange(drafts.map((one, place) => (place === at ? { ...one, ...part } : one)))
          }
          onRemove={() => onChange(drafts.filter((_, place) => place !== at))}
        />
      ))}
      {drafts.length < QUESTIONS_MAX && (
        <div>
          <Button
            kind="quiet"
            size="small"
            onClick={() => onChange([...drafts, newQuestion(drafts)])}
          >
            {t("questions.add")}
          </Button>
        </div>
      )}
    </>
  );
}

type FieldsetProps = {
  draft: QuestionDraft;
  number: number;
  fault: (name: string) => boolean;
  onChange: (part: Partial<QuestionDraft>) => void;
  onRemove: () => void;
};

function QuestionFieldset({ draft, number, fault, onChange, onRemove }: FieldsetProps) {
  const { t } = useTranslation("console");
  return (
    <fieldset className="console-question">
      <legend>{t("questions.number", { number })}</legend>
      <Field
        label={t("questions.text")}
        value={draft.text}
        maxLength={TEXT_MAX}
        dir="auto"
        error={fault("text") ? t("questions.wrong.text") : null}
        onChange={({ target }) => onChange({ text: target.value })}
      />
      <div className="console-pair">
        <Select
          label={t("questions.kind")}
          value={draft.kind}
          onChange={({ target }) =>
            onChange({ kind: target.value === "choice" ? "choice" : "text" })
          }
        >
          <option value="text">{t("questions.kinds.text")}</option>
          <option value="choice">{t("questions.kinds.choice")}</option>
        </Select>
        <Select
          label={t("questions.per")}
          value={draft.per}
          onChange={({ target }) =>
            onChange({ per: target.value === "ticket" ? "ticket" : "booking" })
          }
        >
          <option value="booking">{t("questions.pers.booking")}</option>
          <option value="ticket">{t("questions.pers.ticket")}</option>
        </Select>
      </div>
      {draft.kind === "choice" && (
        <TextArea
          label={t("questions.choices")}
          hint={t("questions.choices_hint")}
          value={draft.choices}
          rows={4}
          maxLength={6000}
          dir="auto"
          error={fault("choices") ? t("questions.wrong.choices") : null}
          onChange={({ target }) => onChange({ choices: target.value })}
        />
      )}
      <label className="console-tick">
        <input
          type="checkbox"
          checked={draft.isRequired}
          onChange={({ target }) => onChange({ isRequired: target.checked })}
        />
        {t("questions.required")}
      </label>
      <div>
        <Button kind="bare" size="small" onClick={onRemove}>
          {t("questions.remove", { number })}
        </Button>
      </div>
    </fieldset>
  );
}
