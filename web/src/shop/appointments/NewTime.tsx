// The new time of an appointment that is changed: what it costs, what comes back for the one of now, and the button
// that holds it. Whoever was faster is told of, with other times that are free.
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { BookingView, Quote, Team, TeamService } from "~/api/schema";
import { Button, ErrorNote, Note, Skeleton } from "~/design";
import { money } from "~/i18n/format";
import { HeldInstead, useGoToHold } from "../bookings/HeldInstead";
import { whyNot } from "../bookings/whyNot";
import { differenceOf } from "../refunds/difference";
import { useRefundQuote } from "../refunds/RefundTerms";
import { useShop } from "../session";
import { usePlaceHold } from "../show/placeHold";
import { useTimesChanged } from "./catalog";
import { lineOf, pricedProvider, type Booked } from "./changing";
import type { Choice } from "./choice";
import { OtherTimes } from "./OtherTimes";
import { priceWords } from "./price";
import { otherTimes, timeRefusal } from "./refusal";
import { dayOf, isSameTime } from "./slots";

type NewProps = {
  booking: BookingView;
  team: Team;
  own: Booked;
  service: TeamService;
  choice: Choice;
  time: string;
  onChange: (choice: Choice, time?: string) => void;
};

export function NewTime(props: NewProps) {
  const { booking, team, own, service, choice, time, onChange } = props;
  const { t } = useTranslation("shop_appointments");
  const { api } = useShop();
  const goTo = useGoToHold(booking.id);
  const anew = useTimesChanged(team.id);
  const placing = usePlaceHold((hold) => goTo(hold.id), booking.id);
  const isSame =
    time !== "" && isSameTime(time, own.from) && ["", own.provider].includes(choice.provider);
  const isNew = time !== "" && !isSame;
  const line = (provider: string) => lineOf(team.id, service.name, provider, time, own.quantity);
  const priced = line(pricedProvider(service, choice, own));
  const quote = useQuery({
    queryKey: ["appointments", "change", booking.id, priced],
    enabled: isNew,
    retry: false,
    queryFn: () => api.POST("/v1/quotes", { body: { lines: [priced] } }),
  });
  const error = placing.error ?? quote.error;
  const refusal = refusalOf(error);
  const others = otherTimes(placing.error, choice.provider);
  const hold = () =>
    placing.mutate([line(choice.provider)], {
      onError: () => {
        anew();
        void quote.refetch();
      },
    });
  return (
    <>
      {isNew && quote.isPending && <Skeleton height="5rem" />}
      {isNew && quote.data !== undefined && <Prices booking={booking} quote={quote.data} />}
      <div aria-live="polite" className="appt-refusal">
        {isSame && <Note>{t("change.same")}</Note>}
        {refusal !== null && (
          <Note tone="warn">
            {t(refusal)}{" "}
            <HeldInstead {...{ error, booking: booking.id }} label={t("change.to_held")} />
          </Note>
        )}
        {others.length > 0 && (
          <OtherTimes
            team={team}
            times={others}
            onChoose={({ from, provider }) =>
              onChange({ ...choice, provider, date: dayOf(from, team) }, from)
            }
          />
        )}
        {error !== null && refusal === null && (
          <ErrorNote error={error} onRetry={() => void quote.refetch()} />
        )}
      </div>
      {isNew && quote.data !== undefined && (
        <Button busy={placing.isPending} onClick={hold}>
          {t("change.go")}
        </Button>
      )}
      <p className="shop-quiet appt-box-small">{t("change.kept")}</p>
    </>
  );
}

/** The key of what is said of a refusal; null where it is about something else. */
function refusalOf(error: unknown): string | null {
  const why = whyNot(error);
  if (why !== null) return `change.why.${why}`;
  const said = timeRefusal(error);
  return said === null ? null : `refusal.${said}`;
}

/** What the new time costs, and how much more or less that is. */
function Prices({ booking, quote }: { booking: BookingView; quote: Quote }) {
  const { t } = useTranslation("shop_appointments");
  const refund = useRefundQuote(booking).data;
  const { amount: total, currency } = quote.total;
  const difference = differenceOf(booking, total, refund?.amount);
  // Where neither costs anything there is nothing to reckon.
  const isTold = difference !== null && (total > 0 || difference.before > 0);
  return (
    <>
      <dl className="appt-box-facts">
        <Sum name={t("change.price")}>{priceWords(t, total, currency)}</Sum>
        {isTold && (
          <>
            <Sum name={t(difference.isPaid ? "change.comes_back" : "change.before")}>
              {money(difference.before, currency)}
            </Sum>
            <Sum name={t(`change.${difference.say}`)}>
              {money(Math.abs(difference.more), currency)}
            </Sum>
          </>
        )}
      </dl>
      {isTold && difference.isPaid && total > 0 && (
        <p className="shop-quiet">{t("change.pays_first")}</p>
      )}
    </>
  );
}

function Sum({ name, children }: { name: string; children: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="tabular">{children}</dd>
    </div>
  );
}
