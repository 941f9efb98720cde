// The sandbox bank's cards to choose from: each says what will happen, so that every way a payment may
// go can be seen.
import { useTranslation } from "react-i18next";
import { Icon } from "~/design/Icon";
import { MAIN_CARDS, MORE_CARDS, type TestCard } from "./testCards";

type CardsProps = { chosen: string; onChoose: (token: string) => void; disabled: boolean };

export function Cards({ chosen, onChoose, disabled }: CardsProps) {
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
