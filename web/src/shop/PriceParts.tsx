// A price with its parts: seats, discounts, fees, taxes, total.
import { useTranslation } from "react-i18next";
import type { Quote } from "~/api/schema";
import { money, number } from "~/i18n/format";

type Part = { key: string; label: string; amount: number; quantity: number; kind: string };

/** Combines parts of the same kind, name and price; included taxes apart. */
export function partsOf(quote: Quote, seatWord: string): { added: Part[]; included: Part[] } {
  const parts = new Map<string, Part & { inside: boolean }>();
  for (const line of quote.lines) {
    // Absent fields have their default.
    const quantity = line.quantity ?? 1;
    const inside = line.included ?? false;
    const price = line.kind === "unit" ? line.amount / Math.max(1, quantity) : 0;
    const label = line.kind === "unit" ? seatWord : line.label;
    const key = JSON.stringify([line.kind, label, inside, price]);
    const part = parts.get(key);
    if (part === undefined) {
      parts.set(key, { key, label, amount: line.amount, quantity, kind: line.kind, inside });
    } else {
      part.amount += line.amount;
      part.quantity += quantity;
    }
  }
  const all = [...parts.values()];
  return { added: all.filter((part) => !part.inside), included: all.filter((part) => part.inside) };
}

export function PriceParts({ quote, isBusy = false }: { quote: Quote; isBusy?: boolean }) {
  const { t } = useTranslation("shop");
  const { currency } = quote.total;
  const { added, included } = partsOf(quote, t("price.seats"));
  return (
    <div className="shop-price" data-busy={isBusy || undefined}>
      <dl>
        {added.map((part) => (
          <div key={part.key} data-kind={part.kind}>
            <dt>
              <bdi>{part.label}</bdi>
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
      {included.map((part) => (
        <p key={part.key} className="shop-quiet">
          {t("price.included", { amount: money(part.amount, currency), name: part.label })}
        </p>
      ))}
    </div>
  );
}
