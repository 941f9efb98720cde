// Changes the dates of a stay for a guest who calls or stands at the desk, in all of its rooms at once: what each costs
// then, what goes back, and how the new stay is paid.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import type { BookingView, Money } from "~/api/schema";
import { Button, ErrorNote, Field, Icon, Note, useToast } from "~/design";
import { isDate } from "~/shop/days";
import { bookedRange, changedLines, pricedLines } from "~/shop/stays/changing";
import type { Range } from "~/shop/stays/range";
import { METHODS, type Method } from "../desk/sale";
import { Act, RadioGroup } from "../parts";
import { api, useOwnSession } from "../session";
import { keptAnswers } from "./answers";
import { BookedBefore, HeldChange, PriceChanged } from "./changeDates";
import { ChangePrices } from "./ChangePrices";
import { useBookedAnswers, useBookedResources, useStayOfNow } from "./changeQueries";
import { ChangeRefused } from "./ChangeRefused";

type Props = { booking: BookingView };

/** Nothing for who may not sell, where there is no desk, and for what is no stay of the same nights. */
export function ChangeDates(props: Props) {
  const { t } = useTranslation("console");
  const session = useOwnSession();
  const [open, setOpen] = useState(false);
  const range = bookedRange(props.booking);
  if (!session?.has_desk || !session.scopes.includes("sell") || range === null) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Icon name="shows" size={18} />
        {t("change.open")}
      </Button>
      {open && <ChangeDialog {...props} own={range} onClose={() => setOpen(false)} />}
    </>
  );
}

type Of<T> = { readonly range: Range; readonly is: T };
type DialogProps = Props & { own: Range; onClose: () => void };

function ChangeDialog({ booking, own, onClose }: DialogProps) {
  const { t } = useTranslation("console");
  const [range, setRange] = useState(own);
  const [chosen, setMethod] = useState<Method | "later" | null>(null);
  // Of these dates, and of no others that were chosen meanwhile: why not, and the price that a hold had in place of the
  // one that was shown.
  const [refused, setRefused] = useState<Of<unknown> | null>(null);
  const [told, setTold] = useState<Of<Money> | null>(null);
  const { carryOut, leave } = useChangeOf(booking, onClose);
  const listings = useBookedResources(booking);
  const answers = useBookedAnswers(booking);
  const stay = useStayOfNow(booking);
  const failed = [listings, answers, stay].find(
    ({ data, error }) => data === undefined && error !== null,
  );
  const names = new Map(listings.data?.map(({ id, name }) => [id, name]));
  const paysLater = listings.data?.every(({ payment }) => payment === "at_venue") ?? false;
  const method = chosen ?? (paysLater ? "later" : "cash");
  const isStay = isDate(range.start) && isDate(range.end) && range.start < range.end;
  const isNew = isStay && (range.start !== own.start || range.end !== own.end);
  const lines = pricedLines(booking, range);
  const quote = useQuery({
    queryKey: ["change-quote", booking.id, range],
    queryFn: () => api.POST("/v1/quotes", { body: { lines } }),
    enabled: isNew,
    retry: false,
  });
  const isPriced = isNew && quote.data !== undefined && quote.error === null;
  const price = isPriced ? (told?.range === range ? told.is : quote.data.total) : undefined;
  const isTaken = method !== "later" && price?.amount !== 0;
  const newLines = changedLines(booking, range);
  const said = answers.data?.answers ?? [];
  const { kept, isAll } = keptAnswers(booking, newLines, listings.data ?? [], said);
  const isKnown = [listings, answers].every(({ data }) => data !== undefined) && stay.data?.isAll;
  const act = async (key: string) => {
    setRefused(null);
    if (!isKnown || price === undefined) throw new Error("too soon");
    const dates = { booking, lines: newLines, price, method, answers: kept };
    return await carryOut(dates, key).catch((error: unknown) => {
      setRefused({ range, is: error });
      if (error instanceof PriceChanged) {
        setTold({ range, is: error.price });
        void quote.refetch();
      }
      throw error;
    });
  };
  const choose = (next: Partial<Range>) => setRange({ ...range, ...next });
  const why = refused?.range === range ? refused.is : null;
  return (
    <Act
      open
      title={t("change.title")}
      verb={t(isTaken ? "change.verb" : "change.verb_later")}
      disabled={!isPriced || !isKnown}
      onClose={leave}
      refetches={["booking", booking.id]}
      act={act}
      tellsError={false}
    >
      <p>{t("change.text")}</p>
      <Field
        label={t("change.arrival")}
        type="date"
        value={range.start}
        onChange={({ target }) => choose({ start: target.value })}
      />
      <Field
        label={t("change.departure")}
        type="date"
        value={range.end}
        min={range.start}
        onChange={({ target }) => choose({ end: target.value })}
      />
      {failed && <ErrorNote error={failed.error} onRetry={() => void failed.refetch()} />}
      {stay.data?.isAll === false && <Note tone="warn">{t("change.terms")}</Note>}
      {isKnown && !isAll && <Note>{t("change.answers")}</Note>}
      {isPriced && price !== undefined && listings.data && stay.data && (
        <ChangePrices
          {...{ booking, names, isTaken }}
          quote={quote.data}
          total={price}
          stay={stay.data}
        />
      )}
      <ChangeRefused error={(isNew ? quote.error : null) ?? why} {...{ lines, names }} />
      {price !== undefined && price.amount > 0 && listings.data !== undefined && (
        <RadioGroup
          label={t("desk.method")}
          value={method}
          onChange={setMethod}
          choices={[...(paysLater ? (["later"] as const) : []), ...METHODS].map((value) => ({
            value,
            title: t(`desk.methods.${value}`),
          }))}
        />
      )}
    </Act>
  );
}

/** Carries a change out, and lets go of it when the dialog is left, also with its page. Whichever of the two finds that
 *  the new dates are booked goes there, once. */
function useChangeOf(booking: BookingView, onClose: () => void) {
  const { t } = useTranslation("console");
  const [, go] = useLocation();
  const tell = useToast();
  const queries = useQueryClient();
  const held = useRef(new HeldChange());
  const isLeft = useRef(false);
  const isThere = useRef(false);
  const arrive = (id: string, text: string) => {
    if (isThere.current) return undefined;
    isThere.current = true;
    go(`/console/bookings/${id}`);
    return text;
  };
  const lookAgain = () => void queries.invalidateQueries({ queryKey: ["booking", booking.id] });
  const carryOut = async (...change: Parameters<HeldChange["carryOut"]>) => {
    try {
      const { id, code } = await held.current.carryOut(...change);
      return arrive(id, t("change.done", { code }));
    } catch (error) {
      if (isLeft.current) lookAgain();
      if (!(error instanceof BookedBefore)) throw error;
      return arrive(error.bookingId, t("change.booked_before"));
    }
  };
  const letGo = async () => {
    const id = await held.current.letGo();
    const text = id === null ? undefined : arrive(id, t("change.booked_before"));
    if (text !== undefined) tell(text);
    lookAgain();
  };
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
      void letGo();
    };
    // When it goes, not when it is drawn anew.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  const leave = () => {
    // What ends behind a dialog that is closed does not close the next one.
    if (!isLeft.current) onClose();
  };
  return { carryOut, leave };
}
