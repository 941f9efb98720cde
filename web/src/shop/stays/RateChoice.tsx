// The rates of a stay to choose from: what each includes, what it gives back and what it costs in all.
import type { TFunction } from "i18next";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { StayRate } from "~/api/schema";
import { money } from "~/i18n/format";
import { wordsOfShares } from "../refunds/steps";
import { refundShares } from "./stayPrice";

type ChoiceProps = {
  rates: readonly StayRate[];
  chosen: StayRate;
  onChange: (rate: string) => void;
};

export function RateChoice({ rates, chosen, onChange }: ChoiceProps) {
  const { t } = useTranslation("shop_stays");
  const name = useId();
  return (
    <fieldset className="stay-rates">
      <legend>{t("rates.title")}</legend>
      {rates
        .filter(({ sold }) => sold)
        .map((rate) => (
          <label key={rate.rate ?? ""} className="stay-rate">
            <input
              type="radio"
              name={name}
              checked={rate.rate === chosen.rate}
              onChange={() => onChange(rate.rate ?? "")}
            />
            <RateWords rate={rate} />
            {rate.price && (
              <span className="tabular">{money(rate.price.amount, rate.price.currency)}</span>
            )}
          </label>
        ))}
      <OtherLengths rates={rates} />
    </fieldset>
  );
}

function RateWords({ rate }: { rate: StayRate }) {
  const { t } = useTranslation("shop_stays");
  const refund = useRefundWords(rate);
  return (
    <span className="stay-rate-words">
      <span>{rate.name === null ? t("rates.usual") : <bdi>{rate.name}</bdi>}</span>
      {rate.meals !== "none" && (
        <span className="shop-quiet">{t(`rates.meals.${rate.meals}`)}</span>
      )}
      {refund !== null && <span className="shop-quiet">{refund}</span>}
    </span>
  );
}

/** The first thing that a policy says: until when all is given back, or that nothing is. */
function useRefundWords(rate: StayRate): string | null {
  const { t } = useTranslation("shop");
  const { t: own } = useTranslation("shop_stays");
  const [first] = wordsOfShares(refundShares(rate) ?? []);
  if (first === undefined) return null;
  if (first.say === "none") return own("rates.not_refundable");
  if (first.say !== "full" || first.before === null) return own("rates.partly");
  const { unit, count } = first.before;
  return `${t(`terms.before_${unit}`, { count })}: ${t("terms.full")}`;
}

/** Rates that want a longer stay are worth a word. */
function OtherLengths({ rates }: { rates: readonly StayRate[] }) {
  const { t } = useTranslation("shop_stays");
  const longer = rates.flatMap((rate) => longerStay(t, rate));
  return longer.map((text) => (
    <p key={text} className="shop-quiet">
      {text}
    </p>
  ));
}

function longerStay(t: TFunction<"shop_stays">, { rate, name, reasons = [] }: StayRate): string[] {
  const [reason, ...others] = reasons;
  if (rate === null || reason === undefined || others.length > 0) return [];
  if (reason.reason !== "min_stay" || reason.rate !== rate || !reason.nights) return [];
  return [t("rates.from_nights", { count: reason.nights, name: name ?? rate })];
}
