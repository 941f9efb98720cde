// Stripe's form in the checkout. What was typed into it stays as long as the account and the language do; the
// amount and the theme change while it is open.
import { useEffect, useImperativeHandle, useRef, useState, type Ref } from "react";
import { useTranslation } from "react-i18next";
import { Note, useTheme } from "~/design";
import type { HoldView } from "~/api/schema";
import { mayReload } from "../../shell/reload";
import type { CardHandle } from "../cardHandle";
import { CardLoading, isFocusFree, showUnready, takeWanted, type Wanted } from "../CardLoading";
import { CardMissing } from "../CardMissing";
import { amountForStripe } from "./amounts";
import { isBarredHere } from "./load";
import { openFields, type CardFields, type Look } from "./cardFields";
import { appearanceOf, stripeLocale } from "./look";
import "./card.css";

// A script that is neither there nor refused; one that comes later is taken all the same.
const WAIT_MS = 30_000;

type CardProps = { publishableKey: string; hold: HoldView; wanted: Wanted; ref: Ref<CardHandle> };

export default function StripeCard({ publishableKey, hold, wanted, ref }: CardProps) {
  const { t, i18n } = useTranslation("shop");
  const [tries, setTries] = useState(0);
  const amount = amountForStripe(hold.amount.amount, hold.amount.currency);
  if (amount === null) return <Note tone="warn">{t("checkout.card_no_amount")}</Note>;
  const locale = stripeLocale(i18n.language);
  return (
    <Fields
      // Another account, another language or another try is another form.
      key={`${publishableKey} ${locale} ${tries}`}
      {...{ publishableKey, locale, amount, wanted, ref }}
      currency={hold.amount.currency}
      returnUrl={`${globalThis.location.origin}/checkout/${hold.id}`}
      onRetry={() => setTries((times) => times + 1)}
    />
  );
}

type FieldsProps = {
  publishableKey: string;
  locale: ReturnType<typeof stripeLocale>;
  amount: number;
  currency: string;
  returnUrl: string;
  wanted: Wanted;
  onRetry: () => void;
  ref: Ref<CardHandle>;
};

function Fields(props: FieldsProps) {
  const { publishableKey, locale, amount, currency, returnUrl, wanted, onRetry, ref } = props;
  const { t } = useTranslation("shop");
  const theme = useTheme();
  const [status, setStatus] = useState<"loading" | "ready" | "failed" | "refused">("loading");
  const [refused, setRefused] = useState<string | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const whole = useRef<HTMLDivElement>(null);
  const fields = useRef<CardFields | null>(null);
  const look = useRef<Look>(undefined);

  useEffect(() => {
    look.current = { amount, currency, appearance: appearanceOf(theme) };
    fields.current?.update(look.current);
  }, [amount, currency, theme]);

  useEffect(() => {
    let isLeft = false;
    let mounted: CardFields | null = null;
    const fail = (isRefused: boolean) => {
      if (isLeft) return;
      if (isBarredHere() && mayReload(Date.now())) globalThis.location.reload();
      setStatus(isRefused ? "refused" : "failed");
    };
    const open = async () => {
      if (box.current === null || look.current === undefined) return;
      mounted = await openFields(
        box.current,
        {
          publishableKey,
          locale,
          look: look.current,
          onReady: () => setStatus("ready"),
          onFailed: fail,
        },
        () => isLeft,
      );
      // The amount or the theme may be others by now.
      mounted?.update(look.current);
      fields.current = mounted;
    };
    open().catch(() => fail(false));
    const timer = setTimeout(
      () => setStatus((now) => (now === "loading" ? "failed" : now)),
      WAIT_MS,
    );
    return () => {
      isLeft = true;
      clearTimeout(timer);
      fields.current = null;
      mounted?.destroy();
    };
  }, [publishableKey, locale]);

  useEffect(() => {
    if (status === "loading" || !takeWanted(wanted) || !isFocusFree()) return;
    if (status === "ready") fields.current?.focus();
    else whole.current?.querySelector("button")?.focus();
  }, [status, wanted]);

  useImperativeHandle(ref, () => ({
    makeToken: async (to) => {
      setRefused(null);
      const open = fields.current;
      if (open === null || status !== "ready") {
        showUnready(whole.current, wanted);
        return null;
      }
      const made = await open.makeToken(to, returnUrl).catch(() => ({ wrong: "" }));
      if ("token" in made) return made.token;
      if (made.wrong !== null) setRefused(made.wrong || t("checkout.card_refused"));
      open.focus();
      return null;
    },
  }));

  return (
    <div className="checkout-stripe" ref={whole} data-status={status}>
      {status === "loading" && <CardLoading wanted={wanted} />}
      {(status === "failed" || status === "refused") && (
        <CardMissing isRefused={status === "refused"} onRetry={onRetry} />
      )}
      {refused !== null && (
        <div role="alert">
          <Note tone="bad">{refused}</Note>
        </div>
      )}
      <div ref={box} className="checkout-stripe-fields" />
      {status === "ready" && <p className="shop-quiet">{t("checkout.card_safe")}</p>}
    </div>
  );
}
