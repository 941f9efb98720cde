// Fees, taxes, codes and steps of the price as lines, and what a cancellation gives back.
import { useTranslation } from "react-i18next";
import { Button, Field, Select } from "~/design";
import { CodeFields, StepFields } from "./CodeFields";
import { RefundFields } from "./RefundFields";
import {
  type FeeDraft,
  NEW_FEE,
  NEW_GUEST_TAX,
  NEW_TAX,
  type TaxDraft,
  type TermsDraft,
} from "./terms";

type Props = {
  draft: TermsDraft;
  currency: string;
  isFree: boolean;
  faults: readonly string[];
  /** Of what has guests who stay for nights. */
  hasGuests?: boolean;
  onChange: (draft: TermsDraft) => void;
};

export function TermsFields(props: Props) {
  const { draft, currency, isFree, faults, hasGuests = false, onChange } = props;
  const { refund } = draft;
  return (
    <>
      {!isFree && <Fees {...{ draft, currency, faults, onChange }} />}
      {!isFree && <Taxes {...{ draft, currency, faults, hasGuests, onChange }} />}
      {!isFree && <CodeFields {...{ draft, currency, faults, onChange }} />}
      {!isFree && <StepFields {...{ draft, faults, onChange }} />}
      <RefundFields
        draft={refund}
        hasFees={draft.fees.length > 0}
        faults={faults}
        onChange={(next) => onChange({ ...draft, refund: next })}
      />
    </>
  );
}

type FeesProps = Omit<Props, "isFree">;

function Fees({ draft, currency, faults, onChange }: FeesProps) {
  const { t } = useTranslation("programme");
  const put = (at: number, part: Partial<FeeDraft>) =>
    onChange({
      ...draft,
      fees: draft.fees.map((one, place) => (place === at ? { ...one, ...part } : one)),
    });
  const wrong = (at: number, name: string) =>
    faults.includes(`fees.${at}.${name}`) ? t(`terms.wrong.${name}`) : null;
  return (
    <fieldset className="programme-fieldset">
      <legend>{t("terms.fees")}</legend>
      {draft.fees.map((fee, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- lines have no other name while typed
        <div key={at} className="programme-line">
          <Field
            label={t("terms.fee_name")}
            value={fee.name}
            maxLength={100}
            dir="auto"
            error={wrong(at, "name")}
            onChange={({ target }) => put(at, { name: target.value })}
          />
          <Field
            label={
              currency === ""
                ? t("terms.amount")
                : t("terms.fee_amount", { currency: currency.toUpperCase() })
            }
            value={fee.amount}
            inputMode="decimal"
            dir="ltr"
            maxLength={16}
            error={wrong(at, "amount")}
            onChange={({ target }) => put(at, { amount: target.value })}
          />
          <Field
            label={t("terms.fee_share")}
            value={fee.share}
            inputMode="decimal"
            dir="ltr"
            maxLength={6}
            error={wrong(at, "share")}
            onChange={({ target }) => put(at, { share: target.value })}
          />
          <Select
            label={t("terms.fee_per")}
            value={fee.per}
            onChange={({ target }) => put(at, { per: target.value === "order" ? "order" : "unit" })}
          >
            <option value="unit">{t("terms.per_unit")}</option>
            <option value="order">{t("terms.per_order")}</option>
          </Select>
          <label className="console-tick">
            <input
              type="checkbox"
              checked={fee.isTaxable}
              onChange={({ target }) => put(at, { isTaxable: target.checked })}
            />
            {t("terms.taxable")}
          </label>
          <Button
            kind="bare"
            size="small"
            onClick={() =>
              onChange({ ...draft, fees: draft.fees.filter((_, place) => place !== at) })
            }
          >
            {t("terms.remove_fee", { number: at + 1 })}
          </Button>
        </div>
      ))}
      <Button
        kind="quiet"
        size="small"
        onClick={() => onChange({ ...draft, fees: [...draft.fees, NEW_FEE] })}
      >
        {t("terms.add_fee")}
      </Button>
    </fieldset>
  );
}

function Taxes(props: FeesProps & { hasGuests: boolean }) {
  const { draft, currency, faults, hasGuests, onChange } = props;
  const { t } = useTranslation("programme");
  const put = (at: number, part: Partial<TaxDraft>) =>
    onChange({
      ...draft,
      taxes: draft.taxes.map((one, place) => (place === at ? { ...one, ...part } : one)),
    });
  const wrong = (at: number, name: string) =>
    faults.includes(`taxes.${at}.${name}`) ? t(`terms.wrong.${name}`) : null;
  return (
    <fieldset className="programme-fieldset">
      <legend>{t("terms.taxes")}</legend>
      {draft.taxes.map((tax, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- lines have no other name while typed
        <div key={at} className="programme-line">
          <Field
            label={t("terms.tax_name")}
            value={tax.name}
            maxLength={100}
            dir="auto"
            error={wrong(at, "name")}
            onChange={({ target }) => put(at, { name: target.value })}
          />
          {tax.per === "share" ? (
            <Field
              label={t("terms.tax_share")}
              value={tax.share}
              inputMode="decimal"
              dir="ltr"
              maxLength={6}
              error={wrong(at, "share")}
              onChange={({ target }) => put(at, { share: target.value })}
            />
          ) : (
            (["guestNight", "ageFrom", "nightsMax"] as const).map((name) => (
              <Field
                key={name}
                label={t(`terms.tax_${name}`, { currency: currency.toUpperCase() })}
                value={tax[name]}
                inputMode={name === "guestNight" ? "decimal" : "numeric"}
                dir="ltr"
                maxLength={16}
                error={wrong(at, name)}
                onChange={({ target }) => put(at, { [name]: target.value })}
              />
            ))
          )}
          <label className="console-tick">
            <input
              type="checkbox"
              checked={tax.isIncluded}
              onChange={({ target }) => put(at, { isIncluded: target.checked })}
            />
            {t("terms.included")}
          </label>
          <Button
            kind="bare"
            size="small"
            onClick={() =>
              onChange({ ...draft, taxes: draft.taxes.filter((_, place) => place !== at) })
            }
          >
            {t("terms.remove_tax", { number: at + 1 })}
          </Button>
        </div>
      ))}
      <Button
        kind="quiet"
        size="small"
        onClick={() => onChange({ ...draft, taxes: [...draft.taxes, NEW_TAX] })}
      >
        {t("terms.add_tax")}
      </Button>
      {hasGuests && (
        <Button
          kind="quiet"
          size="small"
          onClick={() => onChange({ ...draft, taxes: [...draft.taxes, NEW_GUEST_TAX] })}
        >
          {t("terms.add_guest_tax")}
        </Button>
      )}
    </fieldset>
  );
}
