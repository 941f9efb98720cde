// A price with its parts: seats, discounts, fees, taxes, total.
import { useTranslation } from "react-i18next";
import { bill } from "~/api/bill";
import type { Quote } from "~/api/schema";
import { money, number } from "~/i18n/format";
import { useNamed } from "./vocabulary";
import { inWords, type Wording } from "./wording";

type PartsProps = {
  quote: Quote;
  isBusy?: boolean;
  wording?: Wording;
  /** What the units cost is told beside it already. */
  isTold?: boolean;
};

export function PriceParts(props: PartsProps) {
  const { quote, isBusy = false, wording = "usual", isTold = false } = props;
  const { t } = useTranslation("shop");
  const named = useNamed();
  const { currency } = quote.total;
  const lines = bill(quote.lines);
  return (
    <div className="shop-price" data-busy={isBusy || undefined}>
      <dl>
        {lines
          .filter(({ included, kind }) => !included && !(isTold && kind === "unit"))
          .map((part) => (
            <div key={`${part.kind} ${part.label}`} data-kind={part.kind}>
              <dt>
                <bdi>
                  {part.kind === "unit" ? t("price.seats", inWords(wording)) : named(part.label)}
                </bdi>
                {part.quantity > 1 && part.kind !== "discount" && (
                  <span className="shop-quiet"> × {number(part.quantity)}</span>
                )}
              </dt>
              <dd className="tabular">{money(part.amount, currency)}</dd>
            </div>
          ))}
        <div className="shop-price-total">
          <dt>{t("price.total")}</dt>
          <dd className="tabular">{money(quote.total.amount, currency)}</dd>
        </div>
      </dl>
      {lines
        .filter(({ included }) => included)
        .map((part) => (
          <p key={`${part.kind} ${part.label}`} className="shop-quiet">
            {t("price.included", { amount: money(part.amount, currency), name: named(part.label) })}
          </p>
        ))}
    </div>
  );
}
