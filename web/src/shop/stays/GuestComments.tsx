// What guests who stayed wrote of a property, the latest first.
import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { BY_PAGE } from "~/api/pages";
import { Button } from "~/design";
import { dateTime, number } from "~/i18n/format";
import { useShop } from "../session";

const PAGE = 5;
const FRESH_MS = 60_000;

export function GuestComments({ property }: { property: string }) {
  const { t } = useTranslation("shop_stays");
  const { api } = useShop();
  const found = useInfiniteQuery({
    queryKey: ["stays", "comments", property],
    staleTime: FRESH_MS,
    ...BY_PAGE,
    queryFn: ({ pageParam }) =>
      api.GET("/v1/stays/properties/{property_id}/comments", {
        path: { property_id: property },
        query: { limit: PAGE, ...pageParam },
      }),
  });
  const all = found.data?.pages.flatMap(({ items }) => items) ?? [];
  if (all.length === 0) return null;
  return (
    <section className="stay-wrote" aria-labelledby="stay-comments">
      <h2 id="stay-comments">{t("comments")}</h2>
      <ul role="list" className="stay-comments">
        {all.map(({ rating, comment, rated_at: at }) => (
          <li key={`${at} ${comment}`}>
            <p className="shop-quiet">
              {t("comment_of", {
                rating: number(rating),
                day: dateTime(at, { dateStyle: "medium" }),
              })}
            </p>
            <p className="stay-text">
              <bdi>{comment}</bdi>
            </p>
          </li>
        ))}
      </ul>
      {found.hasNextPage && (
        <p>
          <Button
            kind="quiet"
            busy={found.isFetchingNextPage}
            onClick={() => void found.fetchNextPage()}
          >
            {t("more")}
          </Button>
        </p>
      )}
    </section>
  );
}
