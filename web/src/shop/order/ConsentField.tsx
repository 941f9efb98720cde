// How the merchant's terms are accepted: by a box that nobody has ticked before, or by a sentence, as
// the country wants it.
import { useId, type ReactNode } from "react";
import { Trans, useTranslation } from "react-i18next";
import { type LegalName, legalHref } from "../merchant/legal";
import { useMerchant } from "../merchant/merchant";

type ConsentProps = {
  isAccepted: boolean;
  isMissing: boolean;
  onAccept: (isAccepted: boolean) => void;
};

export function ConsentField({ isAccepted, isMissing, onAccept }: ConsentProps) {
  const { t } = useTranslation("shop");
  const merchant = useMerchant();
  const id = useId();
  const consent = merchant?.ordering.consent ?? "none";
  if (consent === "none") return null;
  const hasPrivacy = legalHref(merchant, "privacy") !== null;
  const words = `order.${consent}${hasPrivacy ? "_privacy" : ""}`;
  const text = (
    <Trans
      t={t}
      i18nKey={words}
      components={{ terms: <TextLink name="terms" />, privacy: <TextLink name="privacy" /> }}
    />
  );
  if (consent === "sentence") return <p className="order-consent">{text}</p>;
  return (
    <div className="order-consent">
      <label className="shop-check">
        <input
          type="checkbox"
          checked={isAccepted}
          aria-invalid={isMissing || undefined}
          aria-describedby={isMissing ? `${id}-error` : undefined}
          onChange={({ target }) => onAccept(target.checked)}
        />
        <span>{text}</span>
      </label>
      {isMissing && (
        <span id={`${id}-error`} className="field-error" role="alert">
          {t("order.missing")}
        </span>
      )}
    </div>
  );
}

/** Read in another tab, so that the hold's clock and what was typed stay. */
function TextLink({ name, children }: { name: LegalName; children?: ReactNode }) {
  const href = legalHref(useMerchant(), name);
  return href === null ? (
    children
  ) : (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}
