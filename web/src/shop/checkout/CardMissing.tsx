// Says that the form for a card is not there, and why, and asks for it again.
import { useTranslation } from "react-i18next";
import { Button, Note } from "~/design";

/** `isRefused`: the provider has answered, and does not take the shop's settings. */
type MissingProps = { isRefused?: boolean; onRetry: () => void };

export function CardMissing({ isRefused = false, onRetry }: MissingProps) {
  const { t } = useTranslation("shop");
  return (
    <div role="alert">
      <Note
        tone="bad"
        actions={
          <Button kind="quiet" size="small" onClick={onRetry}>
            {t("retry", { ns: "design" })}
          </Button>
        }
      >
        {t(isRefused ? "checkout.card_key" : "checkout.card_missing")}
      </Note>
    </div>
  );
}
