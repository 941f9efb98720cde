// The seats that the server chose and keeps for the visitor: in place of the basket, so that they can be
// looked at on the map before anything is paid. On phones a bar at the bottom.
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { HoldView } from "~/api/schema";
import { Button, Countdown, ErrorNote } from "~/design";
import { money } from "~/i18n/format";
import type { SeatsPlan } from "~/seatmap/plan";
import { useHoldVerbs } from "../checkout/useHold";
import { PriceParts } from "../PriceParts";
import { useShop } from "../session";
import { UnitList } from "../UnitList";

type KeptProps = {
  hold: HoldView;
  plan: SeatsPlan | null;
  onContinue: () => void;
  /** They are kept no longer: given back, or their time is over. */
  onGone: () => void;
};

export function KeptSeats({ hold, plan, onContinue, onGone }: KeptProps) {
  const { t } = useTranslation("shop");
  const { behindMs } = useShop();
  const { release } = useHoldVerbs(hold.id);
  const title = useRef<HTMLHeadingElement>(null);
  // The button that asked for them is gone; the map stays in sight.
  useEffect(() => title.current?.focus({ preventScroll: true }), []);
  return (
    <section className="show-basket show-kept" aria-labelledby="kept-title">
      <h2 id="kept-title" className="show-basket-title" tabIndex={-1} ref={title}>
        {t("kept.title")}
      </h2>
      <UnitList plan={plan} lines={hold.lines} />
      <button
        type="button"
        className="show-clear"
        disabled={release.isPending}
        onClick={() => release.mutate(undefined, { onSuccess: onGone })}
      >
        {t("checkout.other_seats")}
      </button>
      {hold.quote && (
        <div className="show-basket-more">
          <PriceParts quote={hold.quote} isBusy={false} />
        </div>
      )}
      {release.isError && <ErrorNote error={release.error} />}
      <div className="show-basket-bar">
        <p className="show-basket-sum">
          <span className="show-basket-count">
            {t("kept.for")}
            <Countdown endsAt={Date.parse(hold.expires_at)} behindMs={behindMs} onEnd={onGone} />
          </span>
          <strong className="tabular">{money(hold.amount.amount, hold.amount.currency)}</strong>
        </p>
        <Button disabled={release.isPending} onClick={onContinue}>
          {t("basket.continue")}
        </Button>
      </div>
    </section>
  );
}
