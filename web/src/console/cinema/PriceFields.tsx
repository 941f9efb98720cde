// A price for each category of a screen.
import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import { Field } from "~/design";
import { type Category, priceOf, type Prices } from "./categories";

type Props = {
  prices: Prices;
  categories: readonly Category[];
  currency: string;
  faults: readonly string[];
  /** They are being made: what is typed now would not count. */
  busy: boolean;
  onChange: (prices: Prices) => void;
};

export function PriceFields({ prices, categories, currency, faults, busy, onChange }: Props) {
  const { t } = useTranslation("films");
  return (
    <div className="programme-prices">
      {categories.map((category) => (
        <Field
          key={category.name}
          label={t("show.price_of", { name: category.name, currency })}
          inputMode="decimal"
          dir="ltr"
          maxLength={16}
          disabled={busy}
          value={priceOf(prices, category)}
          error={faults.includes(`prices.${category.name}`) ? t("show.wrong.price") : null}
          onChange={({ target }) => onChange({ ...prices, [category.name]: target.value })}
        />
      ))}
    </div>
  );
}

/** The prices that shows begin with. */
export function UsualPrices({ children }: { children: ReactNode }) {
  const { t } = useTranslation("films");
  const hint = useId();
  return (
    <fieldset className="programme-fieldset" aria-describedby={hint}>
      <legend>{t("screen.prices")}</legend>
      {children}
      <span id={hint} className="field-hint">
        {t("screen.prices_hint")}
      </span>
    </fieldset>
  );
}
