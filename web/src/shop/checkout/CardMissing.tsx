// Says that the form for a card is not there, and asks for it again.
import { useTranslation } from "react-i18next";
import { Button, Note } from "~/design";

export function CardMissing({ onRetry }: { onRetry: () => void }) {
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
        {t("checkout.card_missing")}
      </Note>
    </div>
  );
}
