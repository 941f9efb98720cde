// The stay that was chosen: who is coming, at which rate, what each night of it costs, and the button that holds
// it. Whoever was faster is told of, with other dates that are free.
import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { Problem } from "~/api/client";
import type { Listing, StayRate } from "~/api/schema";
import { Button, ErrorNote, Note } from "~/design";
import { daysText } from "../nights";
import { usePlaceHold } from "../show/placeHold";
import { useWaitlist } from "../waitlist/useWaitlist";
import { worded } from "../worded";
import { stayLine, useStayRates } from "./catalog";
import { roomsMax, roomsNeeded, type StayWishes, type Wishes } from "./filters";
import { PartyField } from "./PartyField";
import { canStay, NO_RANGE, nightsOf, type Calendar, type Range } from "./range";
import { RateChoice } from "./RateChoice";
import { otherRanges, stayRefusal } from "./refusal";
import { NightPrices } from "./NightPrices";

// Few parties are so large.
const PartyRooms = worded("shop_stay_party", () => import("./PartyRooms"));

type BoxProps = {
  listing: Listing;
  calendar: Calendar;
  range: Range;
  wishes: Wishes;
  onChange: (part: Partial<Wishes>) => void;
  onRange: (range: Range) => void;
  onStale: () => void;
};

export function BookBox(props: BoxProps) {
  const { t } = useTranslation("shop_stays");
  const { listing, calendar, range, wishes, onChange } = props;
  const nights = nightsOf(range);
  const isOpen = listing.state === "open";
  const isFree = nights > 0 && canStay(calendar.get(range.start), nights);
  const most = roomsMax(listing);
  const needed = roomsNeeded(listing, wishes);
  const fits = needed <= wishes.rooms;
  return (
    <section className="card stay-book" aria-labelledby="stay-book">
      <h2 id="stay-book">{t("your_stay")}</h2>
      <p className="stay-book-dates">
        {nights > 0 ? daysText(range.start, range.end) : t("choose_dates")}
      </p>
      <PartyField party={wishes} roomsMax={most} onChange={onChange} />
      {!fits && (
        <Note tone="warn">
          {needed > most
            ? t("too_small", { count: listing.guests * most })
            : t("needs_rooms", { count: needed })}
        </Note>
      )}
      {!fits && nights > 0 && (
        <Suspense>
          <PartyRooms listing={listing} stay={{ ...wishes, ...range }} onStale={props.onStale} />
        </Suspense>
      )}
      {!isOpen && <Note>{t("not_on_sale")}</Note>}
      {/* What was refused is nothing to say of other dates or guests. */}
      {isOpen && nights > 0 && fits && (
        <Reserve
          key={`${range.start} ${range.end} ${wishes.rooms} ${wishes.guests}`}
          {...props}
          isFree={isFree}
        />
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
  const { listing, range, wishes, isFree, onChange } = props;
  const rates = useStayRates(listing.id, { ...wishes, ...range }, isFree);
  const chosen = chosenOf(rates.data ?? [], wishes.rate);
  return (
    <>
      {isFree && rates.isError && (
        <ErrorNote error={rates.error} onRetry={() => void rates.refetch()} />
      )}
      {isFree && chosen !== undefined && (
        <>
          {(rates.data ?? []).length > 1 && (
            <RateChoice
              rates={rates.data ?? []}
              chosen={chosen}
              onChange={(rate) => onChange({ rate })}
            />
          )}
          {chosen.quote && <NightPrices quote={chosen.quote} listingId={listing.id} />}
        </>
      )}
      <Hold
        {...props}
        stay={{ ...wishes, ...range, rate: chosen?.rate ?? "" }}
        isReady={isFree && chosen !== undefined}
        onRefused={() => void rates.refetch()}
      />
    </>
  );
}

/** The rate of the address where it can be had, else the first that can. */
function chosenOf(rates: readonly StayRate[], rate: string): StayRate | undefined {
  const sold = rates.filter((one) => one.sold);
  return sold.find((one) => (one.rate ?? "") === rate) ?? sold[0];
}

type HoldProps = BoxProps & {
  isFree: boolean;
  isReady: boolean;
  stay: StayWishes;
  onRefused: () => void;
};

function Hold(props: HoldProps) {
  const { listing, isFree, isReady, stay, onRange, onStale, onRefused } = props;
  const { t } = useTranslation("shop_stays");
  const [, navigate] = useLocation();
  const placing = usePlaceHold((hold) => navigate(`/checkout/${hold.id}`));
  const refusal = stayRefusal(placing.error);
  const others = placing.error instanceof Problem ? otherRanges(placing.error.data) : [];
  const anew = () => {
    onStale();
    onRefused();
  };
  return (
    <>
      {!isFree && refusal === null && <Note tone="warn">{t("not_these")}</Note>}
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
      {(!isFree || refusal !== null) && <ToWaitlist listing={listing} />}
      {isReady && (
        <>
          <Button
            busy={placing.isPending}
            onClick={() => placing.mutate([stayLine(listing.id, stay)], { onError: anew })}
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

function ToWaitlist({ listing: { id } }: { listing: Listing }) {
  const { t } = useTranslation("shop_stays");
  if (useWaitlist(id) === undefined) return null;
  return (
    <p>
      <a href="#stay-waitlist">{t("tell_me")}</a>
    </p>
  );
}
