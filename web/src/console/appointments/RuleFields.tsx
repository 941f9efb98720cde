// How a team is booked: from when, until when, how it is paid, and how long a time is kept. And what
// guests read of it, in the shop's other languages.
import { useTranslation } from "react-i18next";
import { Field, Select } from "~/design";
import { PAYMENTS } from "../programme/dateDraft";
import { type TextOf, TranslationFields } from "../programme/TranslationFields";
import { NOTICE_UNITS } from "./notice";
import { costsNothing, teamTexts } from "./teamDraft";
import { type TeamFieldsProps, useText } from "./TeamFields";

export function RuleFields(props: TeamFieldsProps) {
  const { draft, faults, onChange } = props;
  const { t } = useTranslation("appointments");
  const text = useText(props);
  const rules = PAYMENTS.filter((rule) => rule !== "none" || draft.payment === "none");
  return (
    <>
      <div className="programme-pair">
        <Field
          label={t("team.notice")}
          hint={t("team.notice_hint")}
          value={draft.notice.count}
          error={faults.includes("notice") ? t("team.wrong.notice") : null}
          inputMode="numeric"
          maxLength={6}
          onChange={({ target }) => onChange({ notice: { ...draft.notice, count: target.value } })}
        />
        <Select
          label={t("team.notice_unit")}
          value={draft.notice.unit}
          onChange={({ target }) => {
            const unit = NOTICE_UNITS.find((one) => one === target.value);
            if (unit !== undefined) onChange({ notice: { ...draft.notice, unit } });
          }}
        >
          {NOTICE_UNITS.map((unit) => (
            <option key={unit} value={unit}>
              {t(`team.units.${unit}`)}
            </option>
          ))}
        </Select>
        <Field
          {...text("horizon")}
          hint={t("team.horizon_hint")}
          inputMode="numeric"
          maxLength={3}
        />
        <Field {...text("step")} hint={t("team.step_hint")} inputMode="numeric" maxLength={4} />
      </div>
      {!costsNothing(draft) && (
        <Select
          label={t("team.payment")}
          hint={t(`team.payment_hint.${draft.payment}`)}
          value={draft.payment}
          onChange={({ target }) => {
            const payment = PAYMENTS.find((one) => one === target.value);
            if (payment !== undefined) onChange({ payment });
          }}
        >
          {rules.map((rule) => (
            <option key={rule} value={rule}>
              {t(`team.payments.${rule}`)}
            </option>
          ))}
        </Select>
      )}
      <details className="programme-more" open={hasFault(faults) || undefined}>
        <summary>{t("booking.more")}</summary>
        <div className="programme-pair">
          <Field
            {...text("holdMinutes")}
            hint={t("team.holdMinutes_hint")}
            inputMode="decimal"
            maxLength={5}
          />
          <Field {...text("limit")} hint={t("team.limit_hint")} inputMode="numeric" maxLength={7} />
          <Field
            {...text("capacity")}
            hint={t("team.capacity_hint")}
            inputMode="numeric"
            maxLength={7}
          />
        </div>
      </details>
    </>
  );
}

const hasFault = (faults: readonly string[]) =>
  ["holdMinutes", "limit", "capacity"].some((name) => faults.includes(name));

/** All that guests read: of a line it is called what the line is. */
export function WordFields({ draft, onChange }: TeamFieldsProps) {
  const { t } = useTranslation("appointments");
  const own: Record<string, Omit<TextOf, "field">> = {
    name: { label: t("team.name"), max: 100 },
    summary: { label: t("team.summary"), max: 300 },
    description: { label: t("team.description"), max: 4000, rows: 4 },
    city: { label: t("team.city"), max: 100 },
  };
  const names = new Map(draft.services.map(({ key, name }) => [`about ${key}`, name.trim()]));
  const fields = Object.entries(teamTexts(draft)).map(([field, text]): TextOf => {
    const service = names.get(field);
    if (service !== undefined)
      return { field, label: t("services.about_of", { service }), max: 2000, rows: 3 };
    return { field, ...(own[field] ?? { label: text, max: 100 }) };
  });
  return (
    <TranslationFields
      fields={fields}
      value={draft.translated}
      onChange={(translated) => onChange({ translated })}
    />
  );
}
