// What the new dates of a stay cost, room by room, what is taken for them, and what goes back for the stay of now.
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { BookingView, Money, Quote } from "~/api/schema";
import { money, number } from "~/i18n/format";
import { leftLines } from "~/shop/bookings/leftLines";
import { amountsByLine } from "~/shop/stays/changing";
import type { Names } from "./ChangeRefused";
import { sumsOf, type StayOfNow } from "./changeSums";

type PricesProps = {
  booking: BookingView;
  names: Names;
  quote: Quote;
  total: Money;
  stay: StayOfNow;
  isTaken: boolean;
};

export function ChangePrices({ booking, names, quote, total, stay, isTaken }: PricesProps) {
  const { t } = useTranslation("console");
  const { currency } = total;
  const amounts = amountsByLine(quote);
  const { take, back, before, more, isNothingBack } = sumsOf(total.amount, stay, isTaken);
  const say = (more ?? 0) > 0 ? "more" : (more ?? 0) < 0 ? "less" : "even";
  const shown = (amount: number) => money(amount, currency);
  return (
    <>
      <dl className="console-pairs">
        {leftLines(booking).map(({ resource_id: id, left }, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- the lines of a booking keep their places
          <Sum key={at} amount={shown(amounts.get(at) ?? 0)}>
            {left > 1 && `${number(left)} × `}
            <bdi>{names.get(id)}</bdi>
          </Sum>
        ))}
        <Sum amount={shown(total.amount)}>{t("change.total")}</Sum>
        {back !== null && <Sum amount={shown(back)}>{t("change.back")}</Sum>}
        {before !== null && <Sum amount={shown(before)}>{t("change.before")}</Sum>}
        {more !== null && <Sum amount={shown(Math.abs(more))}>{t(`change.${say}`)}</Sum>}
        {take !== null && (
          <Sum amount={<strong>{shown(take)}</strong>}>
            <strong>{t("change.take")}</strong>
          </Sum>
        )}
      </dl>
      {isNothingBack && <p className="console-quiet">{t("change.nothing_back")}</p>}
    </>
  );
}

function Sum({ children, amount }: { children: ReactNode; amount: ReactNode }) {
  return (
    <div>
      <dt>{children}</dt>
      <dd className="tabular">{amount}</dd>
    </div>
  );
}
