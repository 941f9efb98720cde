// The fields of a date: when, what it costs, how it is paid and given back, and how it is sold.
import { useTranslation } from "react-i18next";
import type { Hall } from "~/api/schema";
import { Field } from "~/design";
import { RadioGroup } from "../parts";
import { type DateDraft, dateTexts } from "./dateDraft";
import { PaymentSelect } from "./PaymentSelect";
import { TermsFields } from "./TermsFields";
import { TranslationFields } from "./TranslationFields";

export type DateFieldsProps = {
  draft: DateDraft;
  categories: Hall["categories"];
  /** The zone of the venue; null while no hall is chosen. */
  zone: string | null;
  faults: readonly string[];
  /** A date that is there keeps its currency. */
  isNew: boolean;
  onChange: (part: Partial<DateDraft>) => void;
};

type TextField = Exclude<keyof DateDraft, "prices" | "terms" | "isFree" | "payment" | "translated">;

function useText({ draft, faults, onChange }: DateFieldsProps) {
  const { t } = useTranslation("programme");
  return (name: TextField) => ({
    label: t(`date.${name}`),
    value: draft[name],
    error: faults.includes(name) ? t(`date.wrong.${name}`) : null,
    onChange: ({ target }: { target: { value: string } }) => onChange({ [name]: target.value }),
  });
}

export function TimeFields(props: DateFieldsProps) {
  const { t } = useTranslation("programme");
  const text = useText(props);
  const zone = props.zone === null ? t("date.clocks_any") : t("date.clocks", { zone: props.zone });
  return (
    <>
      <div className="programme-pair">
        <Field {...text("starts")} type="datetime-local" hint={zone} />
        <Field {...text("minutes")} inputMode="numeric" maxLength={4} />
      </div>
      <div className="programme-pair">
        <Field {...text("doors")} type="datetime-local" hint={t("date.optional")} />
        <Field {...text("note")} maxLength={300} hint={t("date.note_hint")} dir="auto" />
      </div>
    </>
  );
}

export function PriceFields(props: DateFieldsProps) {
  const { draft, categories, faults, isNew, onChange } = props;
  const { t } = useTranslation("programme");
  const text = useText(props);
  const currency = draft.currency.trim().toUpperCase();
  const inCurrency = (name: string) =>
    currency === "" ? name : t("date.price_of", { name, currency });
  return (
    <>
      <RadioGroup
        label={t("date.costs")}
        value={draft.isFree ? "free" : "paid"}
        onChange={(is) =>
          onChange({
            isFree: is === "free",
            // What was free and gets prices has to say how it is paid.
            ...(is === "paid" && draft.payment === "none" && { payment: "required" as const }),
          })
        }
        choices={[
          { value: "paid", title: t("date.paid") },
          { value: "free", title: t("date.free") },
        ]}
      />
      {!draft.isFree && (
        <>
          <div className="programme-prices">
            {isNew && <Field {...text("currency")} maxLength={3} dir="ltr" />}
            {categories.map(({ code, name }) => (
              <Field
                key={code}
                label={inCurrency(name === "standard" ? t("hall.standard") : name)}
                inputMode="decimal"
                dir="ltr"
                maxLength={16}
                value={draft.prices[code] ?? ""}
                error={faults.includes(`prices.${code}`) ? t("date.wrong.price") : null}
                onChange={({ target }) =>
                  onChange({ prices: { ...draft.prices, [code]: target.value } })
                }
              />
            ))}
          </div>
          {categories.length === 0 && <p className="console-quiet">{t("date.hall_first")}</p>}
          <PaymentSelect value={draft.payment} onChange={(payment) => onChange({ payment })} />
        </>
      )}
      <TermsFields
        draft={draft.terms}
        currency={draft.currency}
        isFree={draft.isFree}
        faults={faults}
        onChange={(terms) => onChange({ terms })}
      />
    </>
  );
}

export function SaleFields(props: DateFieldsProps) {
  const { t } = useTranslation("programme");
  const text = useText(props);
  return (
    <details className="programme-more">
      <summary>{t("date.sale")}</summary>
      <p className="console-quiet">{t("date.sale_text")}</p>
      <div className="programme-pair">
        <Field {...text("opens")} type="datetime-local" hint={t("date.opens_hint")} />
        <Field {...text("closes")} type="datetime-local" hint={t("date.closes_hint")} />
        <Field {...text("limit")} inputMode="numeric" maxLength={7} hint={t("date.limit_hint")} />
        <Field
          {...text("holdMinutes")}
          inputMode="decimal"
          maxLength={5}
          hint={t("date.holdMinutes_hint")}
        />
      </div>
    </details>
  );
}

const NOTE_MAX = 300;
const NAME_MAX = 100;

/** The note, and what fees and taxes are called, in the shop's other languages. */
export function WordFields({ draft, onChange }: Pick<DateFieldsProps, "draft" | "onChange">) {
  const { t } = useTranslation("programme");
  const fields = Object.entries(dateTexts(draft)).map(([field, text]) =>
    field === "note"
      ? { field, label: t("date.note"), max: NOTE_MAX }
      : { field, label: text, max: NAME_MAX },
  );
  if (fields.length === 0) return null;
  return (
    <TranslationFields
      fields={fields}
      value={draft.translated}
      onChange={(translated) => onChange({ translated })}
    />
  );
}
