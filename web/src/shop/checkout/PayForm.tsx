// The form of the checkout: contact, card and payment.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Problem } from "~/api/client";
import { Button, ErrorNote, Note } from "~/design";
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
import { AS_BEFORE, keepContact, keptContact, saidBy } from "./contact";
import { ContactPart } from "./ContactPart";
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
  /** Whether another booking is given back for this one, whose contact goes along. */
  isInstead: boolean;
};

export function PayForm(props: PayFormProps) {
  const { hold, rule, state, isBusy, onPay, resource, asksPhone, isInstead } = props;
  const { t, i18n } = useTranslation("shop");
  const { session } = useShop();
  const [contact, setContact] = useState(() => keptContact());
  const [isTyped, setTyped] = useState(!isInstead);
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
  const { isEmailWrong, isPhoneWrong, to } = isTyped
    ? saidBy(contact, regional(i18n.language), asksPhone)
    : AS_BEFORE;
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
    if (isTyped) keepContact(contact);
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
      <ContactPart
        {...{ contact, asksPhone, words, isInstead, isTyped }}
        said={{ isEmailWrong: isWrong && isEmailWrong, isPhoneWrong: isWrong && isPhoneWrong }}
        onType={setContact}
        onSwitch={() => setTyped(!isTyped)}
      />
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
