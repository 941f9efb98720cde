// The new dates of a stay that is changed: what they cost, room by room where it has several listings, what comes back
// for the stay of now, and the button that holds them all or none.
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Problem } from "~/api/client";
import type { BookingView, Line, Listing, Quote } from "~/api/schema";
import { Button, ErrorNote, Note } from "~/design";
import { comma, money, number } from "~/i18n/format";
import { HeldInstead, useGoToHold } from "../bookings/HeldInstead";
import { leftLines } from "../bookings/leftLines";
import { whyNot } from "../bookings/whyNot";
import { differenceOf } from "../refunds/difference";
import { useRefundQuote } from "../refunds/RefundTerms";
import { useShop } from "../session";
import { usePlaceHold } from "../show/placeHold";
import { amountsByLine, changedLines, pricedLines, refusedListings } from "./changing";
import { NightPrices } from "./NightPrices";
import { CHANGE_WORDS, WORDS } from "./pages";
import type { Range } from "./range";
import { stayRefusal } from "./refusal";

type StayProps = {
  booking: BookingView;
  listings: readonly Listing[];
  range: Range;
  own: Range;
  onStale: () => void;
};

export function NewStay({ booking, listings, range, own, onStale }: StayProps) {
  const { t } = useTranslation(CHANGE_WORDS);
  const { api } = useShop();
  const goTo = useGoToHold(booking.id);
  const placing = usePlaceHold((hold) => goTo(hold.id), booking.id);
  const isSame = range.start === own.start && range.end === own.end;
  const lines = pricedLines(booking, range);
  const quote = useQuery({
    queryKey: ["stays", "change", booking.id, range],
    enabled: !isSame,
    retry: false,
    queryFn: () => api.POST("/v1/quotes", { body: { lines } }),
  });
  if (isSame) return <Note>{t("same")}</Note>;
  const error = quote.error ?? placing.error;
  return (
    <>
      {quote.data !== undefined && (
        <>
          {listings.length > 1 && <RoomPrices {...{ booking, listings }} quote={quote.data} />}
          <NightPrices quote={quote.data} listingId={listings[0]?.id ?? ""} />
          <Difference booking={booking} quote={quote.data} />
        </>
      )}
      <div aria-live="polite">
        {error !== null && (
          <Refused {...{ booking, error, lines, listings }} onRetry={() => void quote.refetch()} />
        )}
      </div>
      {quote.data !== undefined && (
        <>
          <Button
            busy={placing.isPending}
            onClick={() => placing.mutate(changedLines(booking, range), { onError: onStale })}
          >
            {t("go")}
          </Button>
          <p className="shop-quiet">{t("kept")}</p>
        </>
      )}
    </>
  );
}

type RefusedProps = {
  booking: BookingView;
  error: unknown;
  lines: readonly Line[];
  listings: readonly Listing[];
  onRetry: () => void;
};

/** Why it cannot be had, and in a stay of several listings in which of them. */
function Refused({ booking, error, lines, listings, onRetry }: RefusedProps) {
  const { t } = useTranslation(CHANGE_WORDS);
  const refusal = refusalOf(error);
  if (refusal === null) return <ErrorNote error={error} onRetry={onRetry} />;
  const ids = error instanceof Problem ? refusedListings(error.data, lines) : [];
  const names = listings.filter(({ id }) => ids.includes(id)).map(({ name }) => name);
  return (
    <Note tone="warn">
      {listings.length > 1 && names.length > 0 && (
        <strong>
          <bdi>{names.join(comma())}</bdi>:{" "}
        </strong>
      )}
      {t(refusal)} <HeldInstead {...{ error, booking: booking.id }} label={t("to_held")} />
    </Note>
  );
}

/** The key of what is said of a refusal; null where it is about something else. */
function refusalOf(error: unknown): string | null {
  const why = whyNot(error);
  if (why !== null) return `why.${why}`;
  const said = stayRefusal(error);
  return said === null ? null : `${WORDS}:refusal.${said}`;
}

type PricesProps = { booking: BookingView; listings: readonly Listing[]; quote: Quote };

function RoomPrices({ booking, listings, quote }: PricesProps) {
  const { t } = useTranslation(CHANGE_WORDS);
  const amounts = amountsByLine(quote);
  const names = new Map(listings.map(({ id, name }) => [id, name]));
  return (
    <ul role="list" className="stay-runs stay-rooms" aria-label={t("rooms")}>
      {leftLines(booking).map(({ resource_id: id, left }, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- the lines of a booking keep their places
        <li key={at}>
          <span>
            {left > 1 && `${number(left)} × `}
            <bdi>{names.get(id)}</bdi>
          </span>
          <span className="tabular">{money(amounts.get(at) ?? 0, quote.total.currency)}</span>
        </li>
      ))}
    </ul>
  );
}

/** What the new stay costs more or less than the one of now. */
function Difference({ booking, quote }: { booking: BookingView; quote: Quote }) {
  const { t } = useTranslation(CHANGE_WORDS);
  const refund = useRefundQuote(booking).data;
  const difference = differenceOf(booking, quote.total.amount, refund?.amount);
  if (difference === null) return null;
  const { isPaid, before, more, say } = difference;
  const { currency } = booking.amount;
  return (
    <dl className="stay-difference">
      <div>
        <dt>{t(isPaid ? "comes_back" : "before")}</dt>
        <dd className="tabular">{money(before, currency)}</dd>
      </div>
      <div>
        <dt>
          <strong>{t(say)}</strong>
        </dt>
        <dd className="tabular">
          <strong>{money(Math.abs(more), currency)}</strong>
        </dd>
      </div>
    </dl>
  );
}
