// The progress of a payment.
import { useTranslation } from "react-i18next";
import type { WordingOptions } from "../wording";
import { Button } from "~/design";
import type { AttemptState } from "./attempt";
import { secretOf } from "./bankAction";
import type { Asking } from "./useBankAction";

type ProgressProps = {
  state: AttemptState | null;
  isResumed: boolean;
  /** What the bank asks in this page. */
  asking: Asking;
  ask: (() => void) | null;
  words: WordingOptions;
};

export function PaymentProgress({ state, isResumed, asking, ask, words }: ProgressProps) {
  const { t } = useTranslation("shop");
  const key = textKeyOf(state, isResumed, asking);
  return (
    <div className="card checkout-waiting" role="status">
      <span className="checkout-waiting-spinner spinner" aria-hidden="true" />
      <h2>{t(`waiting.${key}`)}</h2>
      <p>{t(`waiting.${key}_text`, words)}</p>
      {ask !== null && <Button onClick={ask}>{t("waiting.to_bank")}</Button>}
      {state?.kind === "challenge" && secretOf(state.url) === null && (
        <a className="button" data-kind="primary" href={state.url}>
          {t("waiting.to_bank")}
        </a>
      )}
    </div>
  );
}

function textKeyOf(state: AttemptState | null, isResumed: boolean, asking: Asking): string {
  if (state === null) return isResumed ? "resumed" : "sent";
  if (state.kind === "challenge") {
    if (secretOf(state.url) === null) return isResumed ? "undecided" : "challenge";
    return asking === "open" ? "asked" : asking === "answered" ? "bank" : "undecided";
  }
  if (state.kind === "unknown") return state.tries > 2 ? "unreachable" : "again";
  return "bank";
}
