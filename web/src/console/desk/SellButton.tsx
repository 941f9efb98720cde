// Sells places of a show at the desk, and goes to the booking, which has the tickets to print.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { phoneOf } from "~/api/phone";
import { Button, ErrorNote, Icon, Select, Skeleton } from "~/design";
import { money } from "~/i18n/format";
import { soldAs } from "../bookings/units";
import { Act, RadioGroup } from "../parts";
import { api, useOwnSession } from "../session";
import { BuyerFields } from "./BuyerFields";
import {
  type Buyer,
  FREE_REASONS,
  type FreeReason,
  type LineOf,
  linesOf,
  type Method,
  METHODS,
  sell,
} from "./sale";

/** Those by which no money is taken. */
const VERBS: ReadonlySet<string> = new Set(["free", "later"]);

type SellProps = {
  resource: string;
  lines: readonly LineOf[];
  count: number;
  /** Whether it may be paid when they come: who calls has no money in hand. */
  paysLater?: boolean;
  /** Whether it is somebody who calls: they say a name or a number, and hold no tickets in hand. */
  calls?: boolean;
  /** Whether a time of somebody is sold, also before one is chosen. */
  isAppointment?: boolean;
  onDone: () => void;
};

/** Nothing for who may not sell, or where there is no desk. */
export function SellButton(props: SellProps) {
  const { t } = useTranslation("console");
  const session = useOwnSession();
  const [open, setOpen] = useState(false);
  if (!session?.has_desk || !session.scopes.includes("sell")) return null;
  return (
    <>
      <Button disabled={props.lines.length === 0} onClick={() => setOpen(true)}>
        <Icon name="ticket" size={18} />
        {t("desk.sell", { count: props.count, ...wordsOf(props) })}
      </Button>
      {open && <SellDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

/** With what a text is asked for: an appointment is made, a stay is booked, and places are sold. */
function wordsOf({ isAppointment = false, lines: [first] }: SellProps) {
  const context = isAppointment ? "appointment" : first && soldAs(first);
  return context === undefined ? {} : { context };
}

function SellDialog({ onClose, ...props }: SellProps & { onClose: () => void }) {
  const { resource, lines, count, paysLater = false, calls = false, onDone } = props;
  const words = wordsOf(props);
  const { t, i18n } = useTranslation("console");
  const [, go] = useLocation();
  const [method, setMethod] = useState<Method | "free" | "later">(paysLater ? "later" : "cash");
  const [reason, setReason] = useState<FreeReason>("guest_list");
  const [prints, setPrints] = useState(!calls);
  const mayGive = useOwnSession()?.has_free_sales ?? false;
  const [buyer, setBuyer] = useState<Buyer>({ email: "", name: "", phone: "" });
  const wanted = linesOf(resource, lines);
  const quote = useQuery({
    queryKey: ["desk-quote", wanted],
    queryFn: () => api.POST("/v1/quotes", { body: { lines: wanted } }),
    retry: false,
  });
  const total = quote.data?.total;
  const act = async (key: string) => {
    const sale = { lines: wanted, method, reason, buyer, locale: i18n.language };
    const sold = await sell(sale, key);
    // A browser that blocks it leaves the link on the booking's page.
    if (prints) window.open(`/v1/bookings/${sold.id}/tickets.pdf`, "_blank", "noopener");
    onDone();
    go(`/console/bookings/${sold.id}`);
    return t("desk.sold", { code: sold.code });
  };
  // Who calls says their name before anything else; who stands there has the money in hand.
  const buyers = <BuyerFields buyer={buyer} onChange={setBuyer} calls={calls} />;
  return (
    <Act
      open
      title={t("context" in words ? "desk.sell" : "desk.title", { count, ...words })}
      verb={t(VERBS.has(method) ? `desk.verb_${method}` : "desk.verb")}
      disabled={total === undefined || phoneOf(buyer.phone) === null}
      onClose={onClose}
      refetches={["show", resource]}
      act={act}
    >
      {quote.error !== null && <ErrorNote error={quote.error} />}
      {quote.error === null && total === undefined && <Skeleton height="2.5rem" />}
      {total !== undefined && (
        <p className="console-desk-total">
          {t("desk.total")}{" "}
          <strong>{money(method === "free" ? 0 : total.amount, total.currency)}</strong>
        </p>
      )}
      {calls && buyers}
      {total !== undefined && total.amount > 0 && (
        <RadioGroup
          label={t("desk.method")}
          value={method}
          onChange={setMethod}
          choices={[
            ...(paysLater ? (["later"] as const) : []),
            ...METHODS,
            ...(mayGive ? (["free"] as const) : []),
          ].map((value) => ({
            value,
            title: t(`desk.methods.${value}`),
          }))}
        />
      )}
      {method === "free" && (
        <Select
          label={t("desk.reason")}
          value={reason}
          onChange={({ target }) =>
            setReason(FREE_REASONS.find((one) => one === target.value) ?? "other")
          }
        >
          {FREE_REASONS.map((one) => (
            <option key={one} value={one}>
              {t(`desk.reasons.${one}`)}
            </option>
          ))}
        </Select>
      )}
      {!calls && buyers}
      <label className="console-check">
        <input
          type="checkbox"
          checked={prints}
          onChange={({ target }) => setPrints(target.checked)}
        />
        {t("desk.print")}
      </label>
    </Act>
  );
}
