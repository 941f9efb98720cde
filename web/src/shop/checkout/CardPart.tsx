// How a buyer says with what to pay: the sandbox's test cards, or Stripe's form, which comes with what it
// needs only where it is shown.
import { useEffect, useImperativeHandle, useState, type ComponentType, type Ref } from "react";
import { useTranslation } from "react-i18next";
import { Note, Skeleton } from "~/design";
import type { BoxOfficeSession } from "~/api/internal";
import type { HoldView } from "~/api/schema";
import { brought } from "../shell/reload";
import { inWords, wordingOf, type WordingOptions } from "../wording";
import type { AttemptState, Contact } from "./attempt";
import { CardMissing } from "./CardMissing";
import { MAIN_CARDS, TestCards } from "./TestCards";

export type PayWith = NonNullable<BoxOfficeSession["payment_form"]>;

/** Makes the payment token of what was chosen or typed; null where the form says why there is none. */
export type CardHandle = { makeToken: (to: Contact | null) => Promise<string | null> };

// Why a card was declined, as the providers say it, by what we say of it.
const FAILURES: ReadonlyMap<string, string> = new Map([
  ["insufficient_funds", "insufficient_funds"],
  ["expired_card", "expired_card"],
  ["challenge_declined", "challenge_declined"],
  ["payment_intent_authentication_failure", "challenge_declined"],
  ["incorrect_cvc", "incorrect_cvc"],
  ["invalid_cvc", "incorrect_cvc"],
  ["token_unknown", "token_unknown"],
]);

type PartProps = {
  payWith: PayWith | null;
  hold: HoldView;
  state: AttemptState | null;
  isBusy: boolean;
  ref: Ref<CardHandle>;
};

export function CardPart({ payWith, hold, state, isBusy, ref }: PartProps) {
  const { t } = useTranslation("shop");
  const account = payWith === null ? "" : `${payWith.provider} ${payWith.publishable_key ?? ""}`;
  const [first] = useState(account);
  // Also where the page has heard of it by itself, and what was typed is gone with the form before.
  const isOther = state?.kind === "elsewhere" || (account !== first && state?.kind !== "declined");
  return (
    <section className="card checkout-part" aria-labelledby="pay-title">
      <h2 id="pay-title">{t("checkout.payment")}</h2>
      {payWith !== null && isOther && (
        <div role="alert">
          <Note tone="warn">{t("checkout.card_again")}</Note>
        </div>
      )}
      {payWith?.kind === "sandbox" && <p className="shop-quiet">{t("checkout.sandbox")}</p>}
      {payWith !== null && state?.kind === "declined" && (
        <Declined failure={state.failure} words={inWords(wordingOf(hold.lines))} />
      )}
      {payWith === null ? (
        <Note tone="warn">{t("checkout.no_provider")}</Note>
      ) : payWith.kind === "stripe" ? (
        <StripePart key={account} payWith={payWith} hold={hold} ref={ref} />
      ) : (
        <SandboxPart disabled={isBusy} ref={ref} />
      )}
    </section>
  );
}

function SandboxPart({ disabled, ref }: { disabled: boolean; ref: Ref<CardHandle> }) {
  const [card, setCard] = useState(MAIN_CARDS[0]?.token ?? "");
  useImperativeHandle(ref, () => ({ makeToken: () => Promise.resolve(card) }), [card]);
  return <TestCards chosen={card} onChoose={setCard} disabled={disabled} />;
}

type StripeProps = { publishableKey: string; hold: HoldView; ref: Ref<CardHandle> };
type PartOfStripe = { payWith: PayWith; hold: HoldView; ref: Ref<CardHandle> };

function StripePart(props: PartOfStripe) {
  const [tries, setTries] = useState(0);
  return <Brought key={tries} {...props} onRetry={() => setTries((times) => times + 1)} />;
}

function Brought({ payWith, hold, onRetry, ref }: PartOfStripe & { onRetry: () => void }) {
  const [Form, setForm] = useState<ComponentType<StripeProps> | null>(null);
  const [isMissing, setMissing] = useState(false);
  useEffect(() => {
    let isLeft = false;
    brought(import("./stripe/StripeCard")).then(
      (found) => !isLeft && setForm(() => found.default),
      () => !isLeft && setMissing(true),
    );
    return () => {
      isLeft = true;
    };
  }, []);
  if (isMissing) return <CardMissing onRetry={onRetry} />;
  if (Form === null) return <Skeleton height="14rem" />;
  return <Form publishableKey={payWith.publishable_key ?? ""} hold={hold} ref={ref} />;
}

function Declined({ failure, words }: { failure: string; words: WordingOptions }) {
  const { t } = useTranslation("shop");
  return (
    <div role="alert">
      <Note tone="bad">
        <p>
          <strong>{t(`declined.${FAILURES.get(failure) ?? "declined"}`)}</strong>
        </p>
        <p>{t("declined.next", words)}</p>
      </Note>
    </div>
  );
}
