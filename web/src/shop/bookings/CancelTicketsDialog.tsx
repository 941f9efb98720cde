// Cancels a booking or some of its tickets, and shows the refund first.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { idempotencyKey } from "~/api/client";
import { Button, Dialog, ErrorNote, Skeleton } from "~/design";
import { money, number } from "~/i18n/format";
import type { SeatsPlan } from "~/seatmap/plan";
import type { BookingView } from "~/api/schema";
import { useShop } from "../session";
import { useUnitNames } from "../UnitList";
import { inWords, wordingOf } from "../wording";
import { leftLines, type LeftLine } from "./leftLines";
import { ruleWords } from "./refunds";

type CancelProps = {
  booking: BookingView;
  plan: SeatsPlan | null;
  open: boolean;
  onClose: () => void;
  onCancelled: (booking: BookingView) => void;
};

export function CancelTicketsDialog(props: CancelProps) {
  const { t } = useTranslation("shop_booking");
  return (
    <Dialog
      open={props.open}
      title={t("cancel.title", inWords(wordingOf(props.booking.lines)))}
      onClose={props.onClose}
    >
      <Cancelling {...props} />
    </Dialog>
  );
}

function Cancelling({ booking, plan, onClose, onCancelled }: CancelProps) {
  const { t } = useTranslation("shop_booking");
  const seats = useTranslation("shop");
  const { api } = useShop();
  const name = useUnitNames(plan, false);
  const left = leftLines(booking);
  const words = inWords(wordingOf(booking.lines));
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set(left.keys()));
  const [key] = useState(idempotencyKey);
  const asked = left.filter((_, index) => chosen.has(index));
  const isAll = asked.length === left.length;
  const lines = isAll ? null : asked.map(lineOf);
  const path = { booking_id: booking.id };
  const quote = useQuery({
    queryKey: ["refund-quote", booking.id, lines],
    enabled: asked.length > 0,
    staleTime: 0,
    queryFn: () => api.POST("/v1/bookings/{booking_id}/refund-quote", { path, body: { lines } }),
  });
  const cancel = useMutation({
    mutationFn: () => {
      // Another selection is another cancellation, with its own key.
      const own = `${key} ${[...chosen].sort().join(",")}`;
      return api.DELETE("/v1/bookings/{booking_id}", {
        path,
        key: own,
        body: { reason: "cancelled by the visitor", lines, refund: "policy" },
        repeats: true,
      });
    },
    onSuccess: (cancelled) => {
      onCancelled(cancelled);
      onClose();
    },
  });
  const rule = quote.data && ruleWords(quote.data.rule);
  const toggle = (index: number, isOn: boolean) => {
    const next = new Set(chosen);
    if (isOn) next.add(index);
    else next.delete(index);
    setChosen(next);
  };
  return (
    <div className="cancel">
      {left.length > 1 && (
        <fieldset className="cancel-lines">
          <legend>{t("cancel.which")}</legend>
          {left.map((line, index) => (
            <label key={`${line.resource_id} ${line.unit}`} className="shop-check">
              <input
                type="checkbox"
                checked={chosen.has(index)}
                disabled={cancel.isPending}
                onChange={(event) => toggle(index, event.target.checked)}
              />
              <bdi>{line.unit === null ? seats.t("seats.any") : name([line.unit])}</bdi>
              {line.left > 1 && <span className="shop-quiet">× {number(line.left)}</span>}
            </label>
          ))}
        </fieldset>
      )}
      <div className="cancel-quote" aria-live="polite">
        {asked.length === 0 && <p>{t("cancel.choose")}</p>}
        {asked.length > 0 && quote.isPending && <Skeleton height="4rem" />}
        {quote.isError && asked.length > 0 && (
          <ErrorNote error={quote.error} onRetry={() => void quote.refetch()} />
        )}
        {asked.length > 0 && quote.data !== undefined && rule !== undefined && (
          <>
            <p className="cancel-amount">
              <span>{t("cancel.back")}</span>
              <strong className="tabular">{money(quote.data.amount, quote.data.currency)}</strong>
            </p>
            <p className="shop-quiet">
              {t(`cancel.rule.${rule.say}`, {
                count: rule.hours,
                ...words,
                defaultValue: "",
              })}
            </p>
          </>
        )}
      </div>
      {cancel.isError && <ErrorNote error={cancel.error} />}
      <div className="dialog-actions">
        <Button kind="quiet" onClick={onClose}>
          {t("cancel.keep", words)}
        </Button>
        <Button
          kind="danger"
          busy={cancel.isPending}
          disabled={asked.length === 0 || quote.data === undefined}
          onClick={() => cancel.mutate()}
        >
          {isAll ? t("cancel.all", words) : t("cancel.some", { count: asked.length, ...words })}
        </Button>
      </div>
    </div>
  );
}

function lineOf(line: LeftLine) {
  const { left, ...said } = line;
  return { ...said, quantity: said.quantity === null ? null : left };
}
