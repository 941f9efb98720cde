// The rates of a listing, its discounts and what further guests cost, as lines of a form.
import { useTranslation } from "react-i18next";
import { Button, Field, Select } from "~/design";
import { GuestPriceFields } from "./GuestPriceFields";
import type { ListingDraft } from "./listingDraft";
import {
  type DiscountDraft,
  type LimitsDraft,
  MEALS,
  NEW_DISCOUNT,
  NEW_RATE,
  type RateDraft,
  RATES_MAX,
} from "./rates";

type Props = {
  draft: ListingDraft;
  faults: readonly string[];
  onChange: (part: Partial<ListingDraft>) => void;
};

export function RateFields({ draft, faults, onChange }: Props) {
  const currency = draft.currency.trim().toUpperCase();
  return (
    <>
      <Rates
        rates={draft.rates}
        {...{ currency, faults }}
        onChange={(rates) => onChange({ rates })}
      />
      <Discounts
        discounts={draft.discounts}
        faults={faults}
        onChange={(discounts) => onChange({ discounts })}
      />
      <GuestPriceFields
        draft={draft.guestPrices}
        {...{ currency, faults }}
        onChange={(guestPrices) => onChange({ guestPrices })}
      />
    </>
  );
}

type RatesProps = {
  rates: readonly RateDraft[];
  currency: string;
  faults: readonly string[];
  onChange: (rates: readonly RateDraft[]) => void;
};

function Rates({ rates, currency, faults, onChange }: RatesProps) {
  const { t } = useTranslation("stays");
  const put = (at: number, part: Partial<RateDraft>) =>
    onChange(rates.map((one, place) => (place === at ? { ...one, ...part } : one)));
  return (
    <fieldset className="programme-fieldset">
      <legend>{t("rates.all")}</legend>
      {rates.map((rate, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- lines have no other name while typed
        <div
          key={at}
          className="stays-rule"
          role="group"
          aria-label={t("rates.one", { number: at + 1 })}
        >
          <RateLine
            rate={rate}
            currency={currency}
            wrong={(name) =>
              faults.includes(`rates.${at}.${name}`) ? t(`rates.wrong.${name}`) : null
            }
            onChange={(part) => put(at, part)}
          />
          <Button
            kind="bare"
            size="small"
            onClick={() => onChange(rates.filter((_, place) => place !== at))}
          >
            {t("rates.remove", { number: at + 1 })}
          </Button>
        </div>
      ))}
      {rates.length < RATES_MAX && (
        <Button kind="quiet" size="small" onClick={() => onChange([...rates, NEW_RATE])}>
          {t("rates.add")}
        </Button>
      )}
    </fieldset>
  );
}

type LineProps = {
  rate: RateDraft;
  currency: string;
  wrong: (name: string) => string | null;
  onChange: (part: Partial<RateDraft>) => void;
};

function RateLine({ rate, currency, wrong, onChange }: LineProps) {
  const { t } = useTranslation("stays");
  const text = (name: "name" | "share" | "amount" | "guestAmount") => ({
    label: t(`rates.${name}`, { currency }),
    value: rate[name],
    error: wrong(name),
    onChange: ({ target }: { target: { value: string } }) => onChange({ [name]: target.value }),
  });
  const refund = wrong("refund");
  return (
    <>
      <div className="stays-rule-fields">
        <Field {...text("name")} hint={t("rates.name_hint")} maxLength={100} dir="auto" />
        <Select
          label={t("rates.meals")}
          value={rate.meals}
          onChange={({ target }) => {
            const meals = MEALS.find((one) => one === target.value);
            if (meals !== undefined) onChange({ meals });
          }}
        >
          {MEALS.map((one) => (
            <option key={one} value={one}>
              {t(`rates.meal.${one}`)}
            </option>
          ))}
        </Select>
        <Field {...text("share")} hint={t("rates.share_hint")} maxLength={7} dir="ltr" />
        <Field {...text("amount")} maxLength={16} dir="ltr" />
        <Field {...text("guestAmount")} inputMode="decimal" maxLength={16} dir="ltr" />
        <LimitFields limits={rate} wrong={wrong} onChange={onChange} />
      </div>
      <label className="console-tick">
        <input
          type="checkbox"
          checked={rate.isRefundable}
          onChange={({ target }) => onChange({ isRefundable: target.checked })}
        />
        {t("rates.isRefundable")}
      </label>
      {refund !== null && (
        <p className="field-error" role="alert">
          {refund}
        </p>
      )}
    </>
  );
}

type LimitsProps = {
  limits: LimitsDraft;
  wrong: (name: string) => string | null;
  onChange: (part: Partial<LimitsDraft>) => void;
};

function LimitFields({ limits, wrong, onChange }: LimitsProps) {
  const { t } = useTranslation("stays");
  return (["minNights", "maxNights", "minAhead", "maxAhead"] as const).map((name) => (
    <Field
      key={name}
      label={t(`rates.${name}`)}
      value={limits[name]}
      error={wrong(name)}
      inputMode="numeric"
      maxLength={4}
      dir="ltr"
      onChange={({ target }) => onChange({ [name]: target.value })}
    />
  ));
}

type DiscountsProps = {
  discounts: readonly DiscountDraft[];
  faults: readonly string[];
  onChange: (discounts: readonly DiscountDraft[]) => void;
};

function Discounts({ discounts, faults, onChange }: DiscountsProps) {
  const { t } = useTranslation("stays");
  const wrongOf = (at: number) => (name: string) =>
    faults.includes(`discounts.${at}.${name}`) ? t(`rates.wrong.${name}`) : null;
  return (
    <fieldset className="programme-fieldset">
      <legend>{t("discounts.title")}</legend>
      <p className="console-quiet">{t("discounts.text")}</p>
      {discounts.map((discount, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- lines have no other name while typed
        <div
          key={at}
          className="stays-rule"
          role="group"
          aria-label={t("discounts.one", { number: at + 1 })}
        >
          <DiscountLine
            discount={discount}
            wrong={wrongOf(at)}
            onChange={(part) =>
              onChange(discounts.map((one, place) => (place === at ? { ...one, ...part } : one)))
            }
          />
          <Button
            kind="bare"
            size="small"
            onClick={() => onChange(discounts.filter((_, place) => place !== at))}
          >
            {t("discounts.remove", { number: at + 1 })}
          </Button>
        </div>
      ))}
      {discounts.length < RATES_MAX && (
        <Button kind="quiet" size="small" onClick={() => onChange([...discounts, NEW_DISCOUNT])}>
          {t("discounts.add")}
        </Button>
      )}
    </fieldset>
  );
}

type DiscountProps = {
  discount: DiscountDraft;
  wrong: (name: string) => string | null;
  onChange: (part: Partial<DiscountDraft>) => void;
};

function DiscountLine({ discount, wrong, onChange }: DiscountProps) {
  const { t } = useTranslation("stays");
  const limits = wrong("limits");
  return (
    <>
      <div className="stays-rule-fields">
        {(["name", "share"] as const).map((name) => (
          <Field
            key={name}
            label={t(`discounts.${name}`)}
            value={discount[name]}
            error={wrong(name)}
            maxLength={name === "name" ? 100 : 6}
            dir={name === "name" ? "auto" : "ltr"}
            onChange={({ target }) => onChange({ [name]: target.value })}
          />
        ))}
        <LimitFields limits={discount} wrong={wrong} onChange={onChange} />
      </div>
      {limits !== null && (
        <p className="field-error" role="alert">
          {limits}
        </p>
      )}
    </>
  );
}
