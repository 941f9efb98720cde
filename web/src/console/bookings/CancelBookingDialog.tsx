// Cancels a booking or some lines, and shows the refund first.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { BookingView } from "~/api/schema";
import { showChanged } from "~/api/showChanged";
import { ErrorNote, Field, Note, Skeleton } from "~/design";
import { money } from "~/i18n/format";
import { Act, RadioGroup, span } from "../parts";
import { api } from "../session";
import { asked, fullAmount, placesLeft } from "./cancellation";
import { useTitled } from "./titled";
import { unitInWords } from "./units";

type Terms = "policy" | "full" | "none";
type CancelProps = { booking: BookingView; open: boolean; onClose: () => void };

export function CancelBookingDialog({ booking, open, onClose }: CancelProps) {
  const { t } = useTranslation("console");
  const queries = useQueryClient();
  const [places, setPlaces] = useState<readonly number[]>([]);
  const [terms, setTerms] = useState<Terms>("policy");
  const [reason, setReason] = useState("");
  useEffect(() => {
    if (open) setPlaces(placesLeft(booking));
    // Reset when it is opened, not when the booking is refetched.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [open]);
  const lines = asked(booking, places);
  const quote = useQuery({
    queryKey: ["refund-quote", booking.id, places],
    queryFn: () =>
      api.POST("/v1/bookings/{booking_id}/refund-quote", {
        path: { booking_id: booking.id },
        body: { lines },
      }),
    enabled: open && places.length > 0,
    placeholderData: (before) => before,
  });
  const currency = booking.amount.currency;
  const amounts: Record<Terms, number | null | undefined> = {
    policy: quote.data?.amount,
    full: fullAmount(booking, places),
    none: 0,
  };
  const cancel = async (key: string) => {
    const done = await api.DELETE("/v1/bookings/{booking_id}", {
      path: { booking_id: booking.id },
      key,
      body: { reason: reason.trim() || t("cancel.reason_default"), lines, refund: terms },
    });
    await showChanged(queries, ["booking", booking.id], done);
    const back = done.refunds.reduce((sum, refund) => sum + refund.amount.amount, 0);
    const before = booking.refunds.reduce((sum, refund) => sum + refund.amount.amount, 0);
    return t("cancel.done", { amount: money(back - before, currency) });
  };
  const ruleInWords = (rule: string) => {
    const before = /^before:(\d+)$/.exec(rule);
    if (before === null) return t(`cancel.rule.${rule}`);
    return t("cancel.rule.before", { time: span(Number(before[1])) });
  };
  const inWords = (amount: number | null | undefined) =>
    amount === null || amount === undefined ? "…" : money(amount, currency);
  return (
    <Act
      open={open}
      title={t("cancel.title")}
      verb={t("cancel.verb_with", { amount: inWords(amounts[terms]) })}
      dangerous
      disabled={places.length === 0 || (terms === "policy" && quote.data === undefined)}
      onClose={onClose}
      refetches={["booking", booking.id]}
      act={cancel}
    >
      <Choose booking={booking} places={places} onChange={setPlaces} />
      <RadioGroup
        label={t("cancel.refund")}
        value={terms}
        onChange={setTerms}
        choices={(["policy", "full", "none"] as const).map((value) => ({
          value,
          title: t(`cancel.terms.${value}`, { amount: inWords(amounts[value]) }),
          text:
            value === "policy" && quote.data
              ? ruleInWords(quote.data.rule)
              : t(`cancel.terms_text.${value}`),
        }))}
      />
      {quote.error && <ErrorNote error={quote.error} onRetry={() => void quote.refetch()} />}
      {open && quote.isPending && places.length > 0 && <Skeleton height="2rem" />}
      <Field
        label={t("cancel.reason")}
        value={reason}
        maxLength={500}
        onChange={(event) => setReason(event.target.value)}
      />
      <Note tone="warn">{t("cancel.consequence", { count: places.length })}</Note>
    </Act>
  );
}

type ChooseProps = {
  booking: BookingView;
  places: readonly number[];
  onChange: (places: readonly number[]) => void;
};

function Choose({ booking, places, onChange }: ChooseProps) {
  const { t } = useTranslation("console");
  const entitle = useTitled(booking.lines);
  const left = placesLeft(booking);
  if (left.length < 2) return null;
  const flip = (place: number) =>
    onChange(places.includes(place) ? places.filter((one) => one !== place) : [...places, place]);
  return (
    <fieldset className="console-ticks">
      <legend>{t("cancel.lines")}</legend>
      {left.map((place) => {
        const line = booking.lines[place];
        return (
          <label key={place} data-chosen={places.includes(place) || undefined}>
            <input type="checkbox" checked={places.includes(place)} onChange={() => flip(place)} />
            {line ? unitInWords(entitle(line)) : place}
          </label>
        );
      })}
    </fieldset>
  );
}
