// The price of a stay: what each night costs, those of one price together, and what comes on top.
import { useTranslation } from "react-i18next";
import type { Quote } from "~/api/schema";
import { money } from "~/i18n/format";
import { PriceParts } from "../PriceParts";
import { useResource } from "../useResource";
import { VocabularyOf } from "../vocabulary";
import { nightRuns } from "./stayPrice";

/** Names of fees and taxes are those that their owner gave them. */
export function NightPrices({ quote, listingId }: { quote: Quote; listingId: string }) {
  const { t } = useTranslation("shop_stays");
  const { data: resource } = useResource(listingId);
  const { currency } = quote.total;
  return (
    <VocabularyOf of={resource}>
      <ul role="list" className="stay-runs">
        {nightRuns(quote).map(({ from, nights, amount }) => (
          <li key={from}>
            <span>{t("nights_at", { count: nights, price: money(amount, currency) })}</span>
            <span className="tabular">{money(amount * nights, currency)}</span>
          </li>
        ))}
      </ul>
      <PriceParts quote={quote} isTold />
    </VocabularyOf>
  );
}
