// The progress of a payment.
import { useTranslation } from "react-i18next";
import type { WordingOptions } from "../wording";
import type { AttemptState } from "./attempt";

type ProgressProps = { state: AttemptState | null; isResumed: boolean; words: WordingOptions };

export function PaymentProgress({ state, isResumed, words }: ProgressProps) {
  const { t } = useTranslation("shop");
  const key = textKeyOf(state, isResumed);
  return (
    <div className="card checkout-waiting" role="status">
      <span className="checkout-waiting-spinner spinner" aria-hidden="true" />
      <h2>{t(`waiting.${key}`)}</h2>
      <p>{t(`waiting.${key}_text`, words)}</p>
      {state?.kind === "challenge" && (
        <a className="button" data-kind="primary" href={state.url}>
          {t("waiting.to_bank")}
        </a>
      )}
    </div>
  );
}

function textKeyOf(state: AttemptState | null, isResumed: boolean): string {
  if (state === null) return isResumed ? "resumed" : "sent";
  if (state.kind === "challenge") return isResumed ? "undecided" : "challenge";
  if (state.kind === "unknown") return state.tries > 2 ? "unreachable" : "again";
  return "bank";
}
