// What has to be known right before an order: what and when, the price in all, who sells, and what a
// cancellation gives back (Directive 2011/83/EU, article 8(2)).
import { useTranslation } from "react-i18next";
import type { HoldView, Resource } from "~/api/schema";
import { longTime, money } from "~/i18n/format";
import { useMerchant } from "../merchant/merchant";
import { nightsText } from "../nights";
import { ResourceName } from "../UnitList";
import { HoldRefundTerms } from "../refunds/RefundTerms";
import { useNamed, VocabularyOf } from "../vocabulary";
import { inWords, wordingOf } from "../wording";
import "./order.css";

type SummaryProps = { hold: HoldView; resource: Resource | undefined };

export function OrderSummary({ hold, resource }: SummaryProps) {
  const { t } = useTranslation("shop");
  const merchant = useMerchant();
  const seller = merchant?.name ?? null;
  const at = resource?.starts_at ?? null;
  const [line] = hold.lines;
  const wording = wordingOf(hold.lines);
  const when =
    at !== null && resource !== undefined
      ? longTime(at, resource.time_zone)
      : wording === "stay"
        ? nightsText(t, line?.from ?? "", line?.to ?? "")
        : wording === "appointment" && resource !== undefined
          ? longTime(line?.from ?? "", resource.time_zone)
          : null;
  // Whether somebody may withdraw from an appointment depends on what it is for: nothing is said of it.
  const isDated = when !== null && wording !== "appointment";
  const { amount, currency } = hold.amount;
  const others = [...new Set(hold.lines.map((one) => one.resource_id))].slice(1);
  return (
    <section className="card checkout-part order-summary" aria-labelledby="order-title">
      <h2 id="order-title">{t("order.title")}</h2>
      <dl>
        <div>
          <dt>{t("order.what")}</dt>
          <dd>
            <bdi>{resource?.name}</bdi>
            {others.map((id) => (
              <span key={id} className="order-rate">
                <ResourceName id={id} />
              </span>
            ))}
            <VocabularyOf of={resource}>
              <Rates hold={hold} />
            </VocabularyOf>
          </dd>
        </div>
        {when !== null && (
          <div>
            <dt>{t("order.when")}</dt>
            <dd>{when}</dd>
          </div>
        )}
        {seller !== null && (
          <div>
            <dt>{t("order.seller")}</dt>
            <dd>
              <bdi>{seller}</bdi>
              {merchant?.address !== null && (
                <span className="shop-seller-lines" dir="auto">
                  {merchant?.address}
                </span>
              )}
            </dd>
          </div>
        )}
        <div>
          <dt>{t("order.total")}</dt>
          <dd>
            <strong className="tabular">{money(amount, currency)}</strong>
          </dd>
        </div>
      </dl>
      <HoldRefundTerms hold={hold} timeZone={resource?.time_zone} />
      {merchant?.ordering.tells_no_withdrawal === true && isDated && amount > 0 && (
        <p className="shop-quiet">{t("order.no_withdrawal", inWords(wording))}</p>
      )}
    </section>
  );
}

/** The rates of a stay, as their owner named them. */
function Rates({ hold }: { hold: HoldView }) {
  const named = useNamed();
  const rates = new Set(hold.lines.flatMap(({ rate }) => (rate ? [rate] : [])));
  return [...rates].map((rate) => (
    <span key={rate} className="order-rate">
      <bdi>{named(rate)}</bdi>
    </span>
  ));
}
