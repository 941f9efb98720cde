// The stay that was chosen, what each night of it costs, and the button that holds it. Whoever was faster is told of,
// with other dates that are free.
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { Problem } from "~/api/client";
import type { Listing, Quote } from "~/api/schema";
import { Button, ErrorNote, Note } from "~/design";
import { money } from "~/i18n/format";
import { daysText } from "../nights";
import { PriceParts } from "../PriceParts";
import { Stepper } from "../show/BestPicker";
import { usePlaceHold } from "../show/placeHold";
import { VocabularyOf } from "../vocabulary";
import { useResource } from "../useResource";
import { stayLine, useStayQuote } from "./catalog";
import { roomsMax, type Wishes } from "./filters";
import {
  canStay,
  NO_RANGE,
  nightsIn,
  nightsOf,
  priceRuns,
  type Calendar,
  type Range,
} from "./range";
import { otherRanges, stayRefusal } from "./refusal";

type BoxProps = {
  listing: Listing;
  calendar: Calendar;
  range: Range;
  guests: number;
  rooms: number;
  onChange: (part: Partial<Wishes>) => void;
  onRange: (range: Range) => void;
  onStale: () => void;
};

export function BookBox(props: BoxProps) {
  const { t } = useTranslation("shop_stays");
  const { listing, calendar, range, rooms, onChange } = props;
  const nights = nightsOf(range);
  const isOpen = listing.state === "open";
  const isFree = nights > 0 && canStay(calendar.get(range.start), nights);
  const most = roomsMax(listing);
  const needed = Math.ceil(props.guests / listing.guests);
  return (
    <section className="card stay-book" aria-labelledby="stay-book">
      <h2 id="stay-book">{t("your_stay")}</h2>
      <p className="stay-book-dates">
        {nights > 0 ? daysText(range.start, range.end) : t("choose_dates")}
      </p>
      {most > 1 && (
        <Stepper
          label={t("rooms_label")}
          value={rooms}
          max={most}
          onChange={(count) => onChange({ rooms: count, guests: Math.max(count, props.guests) })}
        />
      )}
      {needed > rooms && (
        <Note tone="warn">
          {needed > most
            ? t("too_small", { count: listing.guests * most })
            : t("needs_rooms", { count: needed })}
        </Note>
      )}
      {!isOpen && <Note>{t("not_on_sale")}</Note>}
      {/* What was refused is nothing to say of other dates. */}
      {isOpen && nights > 0 && (
        <Reserve key={`${range.start} ${range.end} ${rooms}`} {...props} isFree={isFree} />
      )}
      {nights > 0 && (
        <Button kind="bare" size="small" onClick={() => props.onRange(NO_RANGE)}>
          {t("clear_dates")}
        </Button>
      )}
    </section>
  );
}

function Reserve(props: BoxProps & { isFree: boolean }) {
  const { listing, calendar, range, rooms, isFree, onRange, onStale } = props;
  const { t } = useTranslation("shop_stays");
  const [, navigate] = useLocation();
  const line = stayLine(listing.id, range.start, range.end, rooms);
  const quote = useStayQuote(isFree ? line : null);
  const placing = usePlaceHold((hold) => navigate(`/checkout/${hold.id}`));
  const refusal = stayRefusal(placing.error);
  const others = placing.error instanceof Problem ? otherRanges(placing.error.data) : [];
  return (
    <>
      {!isFree && refusal === null && <Note tone="warn">{t("not_these")}</Note>}
      {isFree && (
        <>
          <Nights
            calendar={calendar}
            range={range}
            rooms={rooms}
            currency={listing.price.currency}
          />
          {quote.data !== undefined && <Total quote={quote.data} listingId={listing.id} />}
          {quote.isError && <ErrorNote error={quote.error} onRetry={() => void quote.refetch()} />}
        </>
      )}
      <div aria-live="polite">
        {refusal !== null && <Note tone="warn">{t(`refusal.${refusal}`)}</Note>}
        {others.length > 0 && (
          <div className="stay-others" role="group" aria-label={t("other_dates")}>
            <p>{t("other_dates")}</p>
            {others.map((one) => (
              <Button
                key={`${one.start} ${one.end}`}
                kind="quiet"
                size="small"
                onClick={() => {
                  onStale();
                  onRange(one);
                }}
              >
                {daysText(one.start, one.end)}
              </Button>
            ))}
          </div>
        )}
        {placing.isError && refusal === null && <ErrorNote error={placing.error} />}
      </div>
      {isFree && (
        <>
          <Button
            busy={placing.isPending}
            onClick={() => placing.mutate([line], { onError: () => onStale() })}
          >
            {t("reserve")}
          </Button>
          <p className="shop-quiet">
            {t("held_for", { count: Math.floor(listing.hold_seconds / 60) })}
          </p>
        </>
      )}
    </>
  );
}

type NightsProps = { calendar: Calendar; range: Range; rooms: number; currency: string };

/** What the nights cost, those of one price together. */
function Nights({ calendar, range, rooms, currency }: NightsProps) {
  const { t } = useTranslation("shop_stays");
  return (
    <ul role="list" className="stay-runs">
      {priceRuns(nightsIn(calendar, range)).map(({ price, nights }) => (
        <li key={price}>
          <span>
            {t("nights_at", { count: nights, price: money(price, currency) })}
            {rooms > 1 && ` × ${t("rooms", { count: rooms })}`}
          </span>
          <span className="tabular">{money(price * nights * rooms, currency)}</span>
        </li>
      ))}
    </ul>
  );
}

/** Fees and taxes have the names that their owner gave them. */
function Total({ quote, listingId }: { quote: Quote; listingId: string }) {
  const { data: resource } = useResource(listingId);
  return (
    <VocabularyOf of={resource}>
      <PriceParts quote={quote} isTold />
    </VocabularyOf>
  );
}
