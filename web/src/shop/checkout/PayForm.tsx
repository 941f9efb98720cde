// The form of the checkout: contact, card and payment.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Problem } from "~/api/client";
import { PHONE_LENGTH_MAX } from "~/api/phone";
import { Button, ErrorNote, Field, Note } from "~/design";
import { money } from "~/i18n/format";
import { regional } from "~/i18n/region";
import type { HoldView, Resource } from "~/api/schema";
import { useMerchant } from "../merchant/merchant";
import { ConsentField } from "../order/ConsentField";
import { OrderSummary } from "../order/OrderSummary";
import { useShop } from "../session";
import { Questions } from "../questions/Questions";
import { useQuestions } from "../questions/useQuestions";
import { inWords, wordingOf } from "../wording";
import type { AttemptState } from "./attempt";
import type { CardHandle } from "./cardHandle";
import { CardPart } from "./CardPart";
import { keepContact, keptContact, saidBy } from "./contact";
import { OUTCOME } from "./Outcome";
import type { Pay } from "./usePayment";

const CONSENT_REQUIRED = "consent_required";
const ANSWERS_WRONG: ReadonlySet<string> = new Set(["answers_required", "answer_invalid"]);

type PayFormProps = {
  hold: HoldView;
  /** How what costs is paid: see the resource. */
  rule: Resource["payment"];
  state: AttemptState | null;
  isBusy: boolean;
  onPay: Pay;
  resource: Resource | undefined;
  /** Whether one may leave a number to be called at. */
  asksPhone: boolean;
};

export function PayForm(props: PayFormProps) {
  const { hold, rule, state, isBusy, onPay, resource, asksPhone } = props;
  const { t, i18n } = useTranslation("shop");
  const { session } = useShop();
  const [contact, setContact] = useState(() => keptContact());
  const card = useRef<CardHandle>(null);
  const isMaking = useRef(false);
  const [isPreparing, setPreparing] = useState(false);
  const [isWrong, setWrong] = useState(false);
  const merchant = useMerchant();
  const ordering = merchant?.ordering ?? null;
  // By their digest: whoever accepted other terms has not accepted these.
  const [accepted, setAccepted] = useState<string | null>(null);
  const isAccepted = accepted !== null && accepted === ordering?.terms;
  const [isConsentMissing, setConsentMissing] = useState(false);
  const queries = useQueryClient();
  const questions = useQuestions(hold);
  const refusal =
    state?.kind === "refused" && state.problem instanceof Problem ? state.problem.code : "";
  useEffect(() => {
    if (refusal === CONSENT_REQUIRED) void queries.invalidateQueries({ queryKey: ["merchant"] });
    if (ANSWERS_WRONG.has(refusal)) void queries.invalidateQueries({ queryKey: ["resource"] });
  }, [refusal, queries]);
  const { isEmailWrong, isPhoneWrong, to } = saidBy(contact, regional(i18n.language), asksPhone);
  const isBad = isEmailWrong || isPhoneWrong;
  const costs = hold.amount.amount > 0;
  const mustPay = costs && rule === "required";
  const isSellers = costs && rule === "none";
  const payWith = session.payment_form;
  const cannotPay = isSellers || (mustPay && payWith === null);
  const [refused, setRefused] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // What is wrong may be far above the button.
    if (refused > 0) form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }, [refused]);
  const wasBusy = useRef(isBusy);
  useEffect(() => {
    if (wasBusy.current && !isBusy) form.current?.querySelector<HTMLElement>(OUTCOME)?.focus();
    wasBusy.current = isBusy;
  }, [isBusy]);
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);
  const submit = async () => {
    setWrong(isBad);
    const mustAccept = ordering?.consent === "checkbox" && !isAccepted;
    setConsentMissing(mustAccept);
    const isUnanswered = !questions.check();
    const isFaulty = isBad || mustAccept || isUnanswered;
    if (isFaulty) setRefused((times) => times + 1);
    if (isFaulty || isBusy || cannotPay || isMaking.current) return;
    keepContact(contact);
    const { answers } = questions;
    const order = { contact: to, consent: ordering?.terms ?? null, answers };
    if (!mustPay || payWith === null) return onPay(order);
    // Whoever presses twice pays once: the token takes a while, and is made of what stands there now.
    isMaking.current = true;
    setPreparing(true);
    const { provider, publishable_key: publishableKey } = payWith;
    try {
      const token = (await card.current?.makeToken(to)) ?? null;
      // Whoever has gone away meanwhile does not pay: the bank might ask something, and nobody would look.
      if (token !== null && !isLeft.current) onPay({ ...order, token, provider, publishableKey });
    } finally {
      isMaking.current = false;
      setPreparing(false);
    }
  };
  const words = inWords(wordingOf(hold.lines));
  return (
    <form
      ref={form}
      className="checkout-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <section className="card checkout-part" aria-labelledby="contact-title">
        <h2 id="contact-title">{t("checkout.contact", words)}</h2>
        <div className="checkout-fields">
          <Field
            label={t("checkout.email")}
            hint={t("checkout.email_hint", words)}
            type="email"
            inputMode="email"
            autoComplete="email"
            maxLength={254}
            value={contact.email}
            error={isWrong && isEmailWrong ? t("checkout.email_wrong") : null}
            onChange={(event) => setContact({ ...contact, email: event.target.value })}
          />
          <Field
            label={t("checkout.name")}
            autoComplete="name"
            maxLength={200}
            value={contact.name}
            onChange={(event) => setContact({ ...contact, name: event.target.value })}
          />
          {asksPhone && (
            <Field
              label={t("checkout.phone")}
              hint={t("checkout.phone_hint")}
              type="tel"
              dir="ltr"
              autoComplete="tel"
              maxLength={PHONE_LENGTH_MAX}
              value={contact.phone}
              error={isWrong && isPhoneWrong ? t("checkout.phone_wrong") : null}
              onChange={(event) => setContact({ ...contact, phone: event.target.value })}
            />
          )}
        </div>
        <label className="shop-check">
          <input
            type="checkbox"
            checked={contact.remember}
            onChange={(event) => setContact({ ...contact, remember: event.target.checked })}
          />
          {t("checkout.remember")}
        </label>
      </section>
      <Questions {...questions} />
      {mustPay && (
        <CardPart payWith={payWith} hold={hold} state={state} isBusy={isBusy} ref={card} />
      )}
      {costs && rule === "at_venue" && <Note>{t("checkout.at_venue")}</Note>}
      {isSellers && <Note tone="warn">{t("checkout.by_seller")}</Note>}
      {state?.kind === "refused" && (
        <div tabIndex={-1} data-outcome="">
          <ErrorNote error={state.problem} />
        </div>
      )}
      <OrderSummary hold={hold} resource={resource} />
      <ConsentField
        isAccepted={isAccepted}
        isMissing={isConsentMissing && !isAccepted}
        onAccept={(is) => setAccepted(is ? (ordering?.terms ?? null) : null)}
      />
      <Button
        type="submit"
        className="checkout-pay"
        busy={isBusy || isPreparing}
        disabled={cannotPay}
      >
        {mustPay
          ? t(ordering?.button === "obligation_to_pay" ? "order.obligation" : "checkout.pay", {
              amount: money(hold.amount.amount, hold.amount.currency),
            })
          : t("checkout.confirm")}
      </Button>
    </form>
  );
}
