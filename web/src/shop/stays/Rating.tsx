// What guests think of a property: from 1 to 10, and how many of them.
import { useTranslation } from "react-i18next";
import type { FoundProperty } from "~/api/schema";
import { number } from "~/i18n/format";

type RatingProps = { of: Pick<FoundProperty, "rating" | "ratings">; source?: string | undefined };

export function Rating({ of: { rating, ratings }, source }: RatingProps) {
  const { t } = useTranslation("shop_stays");
  if (rating === null) return null;
  const shown = number(rating, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return (
    <p className="stays-rating">
      <span aria-hidden="true" className="stays-rating-figure tabular">
        {shown}
      </span>
      <span className="visually-hidden">{t("rating_told", { rating: shown })}</span>
      <span className="shop-quiet">
        {t("ratings", { count: ratings })}
        {source !== undefined && (
          <>
            {" · "}
            <bdi>{source}</bdi>
          </>
        )}
      </span>
    </p>
  );
}
