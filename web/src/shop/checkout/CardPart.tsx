// How a buyer says with what to pay: the sandbox's test cards, or Stripe's form, which comes with what it
// needs only where it is shown.
import { useEffect, useImperativeHandle, useRef, useState, type Ref } from "react";
import { useTranslation } from "react-i18next";
import { Note } from "~/design";
import type { HoldView } from "~/api/schema";
import { useShop } from "../session";
import { inWords, wordingOf, type WordingOptions } from "../wording";
import type { AttemptState } from "./attempt";
import type { CardHandle, PayWith } from "./cardHandle";
import { declineOf } from "./declines";
import { Outcome } from "./Outcome";
import { StripePart } from "./StripePart";
import { MAIN_CARDS, TestCards } from "./TestCards";

type PartProps = {
  payWith: PayWith | null;
  hold: HoldView;
  state: AttemptState | null;
  isBusy: boolean;
  ref: Ref<CardHandle>;
};

export function CardPart({ payWith, hold, state, isBusy, ref }: PartProps) {
  const { t } = useTranslation("shop");
  useAskAnew(payWith === null);
  const account = payWith === null ? "" : `${payWith.provider} ${payWith.publishable_key ?? ""}`;
  // Where there was none, nothing was typed; and whoever has paid at another has read of it.
  const [seen, setSeen] = useState(account);
  if (seen !== account && (seen === "" || (isBusy && state === null))) setSeen(account);
  // Also where the page has heard of it by itself, and what was typed is gone with the form before.
  const isOther =
    state?.kind === "elsewhere" || (seen !== "" && account !== seen && state?.kind !== "declined");
  return (
    <section className="card checkout-part" aria-labelledby="pay-title">
      <h2 id="pay-title">{t("checkout.payment")}</h2>
      {isOther && (
        <Outcome>
          <Note tone="warn">
            {t(payWith === null ? "checkout.card_closed" : "checkout.card_again")}
          </Note>
        </Outcome>
      )}
      {payWith?.kind === "sandbox" && <p className="shop-quiet">{t("checkout.sandbox")}</p>}
      {state?.kind === "declined" && (
        <Declined
          failure={state.failure}
          words={inWords(wordingOf(hold.lines))}
          canRepeat={payWith !== null}
        />
      )}
      {payWith === null ? (
        !isOther && <Note tone="warn">{t("checkout.no_provider")}</Note>
      ) : payWith.kind === "stripe" ? (
        <StripePart key={account} payWith={payWith} hold={hold} ref={ref} />
      ) : (
        <SandboxPart disabled={isBusy} ref={ref} />
      )}
    </section>
  );
}

/** The session may be from before payments were set up: it is asked for anew, once. */
function useAskAnew(isNone: boolean): void {
  const { renew } = useShop();
  const hasAsked = useRef(false);
  useEffect(() => {
    if (!isNone || hasAsked.current) return;
    hasAsked.current = true;
    void renew().catch(() => undefined);
  }, [isNone, renew]);
}

function SandboxPart({ disabled, ref }: { disabled: boolean; ref: Ref<CardHandle> }) {
  const [card, setCard] = useState(MAIN_CARDS[0]?.token ?? "");
  useImperativeHandle(ref, () => ({ makeToken: () => Promise.resolve(card) }), [card]);
  return <TestCards chosen={card} onChoose={setCard} disabled={disabled} />;
}

type DeclinedProps = { failure: string; words: WordingOptions; canRepeat: boolean };

function Declined({ failure, words, canRepeat }: DeclinedProps) {
  const { t } = useTranslation("shop");
  const { says, next } = declineOf(failure);
  return (
    <Outcome>
      <Note tone="bad">
        <p>
          <strong>{t(`declined.${says}`)}</strong>
        </p>
        <p>
          {t("declined.kept", words)} {canRepeat && t(`declined.next.${next}`)}
        </p>
      </Note>
    </Outcome>
  );
}
