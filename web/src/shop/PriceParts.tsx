// A price with its parts: seats, discounts, fees, taxes, total.
import { useTranslation } from "react-i18next";
import { bill } from "~/api/bill";
import type { Quote } from "~/api/schema";
import { money, number } from "~/i18n/format";
import { useNamed } from "./vocabulary";

export function PriceParts({ quote, isBusy = false }: { quote: Quote; isBusy?: boolean }) {
  const { t } = useTranslation("shop");
  const named = useNamed();
  const { currency } = quote.total;
  const lines = bill(quote.lines);
  return (
    <div className="shop-price" data-busy={isBusy || undefined}>
      <dl>
        {lines
          .filter(({ included }) => !included)
          .map((part) => (
            <div key={`${part.kind} ${part.label}`} data-kind={part.kind}>
              <dt>
                <bdi>{part.kind === "unit" ? t("price.seats") : named(part.label)}</bdi>
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
