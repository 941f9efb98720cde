// The test cards of the sandbox bank, one for each outcome of a payment.
import { useTranslation } from "react-i18next";
import { Icon } from "~/design";

type TestCard = { token: string; name: string; digits: string };

/** The most common ones. Their texts are in shop.json below `cards`. */
export const MAIN_CARDS: readonly TestCard[] = [
  { token: "tok_success", name: "success", digits: "4242" },
  { token: "tok_challenge", name: "challenge", digits: "3220" },
  { token: "tok_declined", name: "declined", digits: "0002" },
  { token: "tok_insufficient_funds", name: "insufficient_funds", digits: "9995" },
];

const MORE_CARDS: readonly TestCard[] = [
  { token: "tok_expired_card", name: "expired_card", digits: "0069" },
  { token: "tok_slow_5", name: "slow", digits: "5005" },
  { token: "tok_pending", name: "pending", digits: "0020" },
  { token: "tok_pending_declined", name: "pending_declined", digits: "0022" },
  { token: "tok_timeout_after", name: "lost", digits: "4040" },
  { token: "tok_timeout_before_once", name: "lost_once", digits: "4041" },
  { token: "tok_refund_fails_once", name: "refund_fails_once", digits: "7701" },
];

type CardsProps = { chosen: string; onChoose: (token: string) => void; disabled: boolean };

export function TestCards({ chosen, onChoose, disabled }: CardsProps) {
  const { t } = useTranslation("shop");
  const card = (one: TestCard) => (
    <label
      key={one.token}
      className="checkout-card"
      data-chosen={chosen === one.token || undefined}
    >
      <input
        type="radio"
        name="card"
        value={one.token}
        checked={chosen === one.token}
        disabled={disabled}
        onChange={() => onChoose(one.token)}
      />
      <span className="checkout-card-face" data-card={one.name} aria-hidden="true">
        <Icon name="card" size={18} />
        <span className="tabular" dir="ltr">
          •• {one.digits}
        </span>
      </span>
      <span className="checkout-card-words">
        <strong>{t(`cards.${one.name}`)}</strong>
        <span className="shop-quiet">{t(`cards.${one.name}_text`)}</span>
      </span>
    </label>
  );
  const isMore = MORE_CARDS.some((one) => one.token === chosen);
  return (
    <fieldset className="checkout-cards">
      <legend className="visually-hidden">{t("checkout.card")}</legend>
      <div className="checkout-cards-grid">{MAIN_CARDS.map(card)}</div>
      <details open={isMore || undefined}>
        <summary>{t("checkout.more_cards")}</summary>
        <div className="checkout-cards-grid">{MORE_CARDS.map(card)}</div>
      </details>
    </fieldset>
  );
}
