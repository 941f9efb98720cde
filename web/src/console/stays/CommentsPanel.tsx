// What guests who stayed wrote of a property; each can be hidden from guests, and shown again.
import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { BY_PAGE } from "~/api/pages";
import type { GuestComment } from "~/api/schema";
import { Badge, Button, Loaded } from "~/design";
import { dateTime, number } from "~/i18n/format";
import { Panel } from "../parts";
import { useAction } from "../parts/useAction";
import { api } from "../session";
import { STAYS } from "./calls";

const PAGE = 20;

export function CommentsPanel({ property }: { property: string }) {
  const { t } = useTranslation("stays");
  const key = [...STAYS, "comments", property];
  const found = useInfiniteQuery({
    queryKey: key,
    ...BY_PAGE,
    queryFn: ({ pageParam }) =>
      api.GET("/v1/stays/properties/{property_id}/comments", {
        path: { property_id: property },
        query: { limit: PAGE, ...pageParam },
      }),
  });
  return (
    <Panel title={t("comments.title")} lead={t("comments.lead")}>
      <Loaded of={found} height="6rem">
        {({ pages }) => (
          <>
            {pages[0]?.items.length === 0 && <p>{t("comments.none")}</p>}
            <ul role="list" className="stays-comments">
              {pages
                .flatMap(({ items }) => items)
                .map((one) => (
                  <li key={one.booking_id}>
                    <Comment of={one} refetches={key} />
                  </li>
                ))}
            </ul>
          </>
        )}
      </Loaded>
      {found.hasNextPage && (
        <Button
          kind="quiet"
          busy={found.isFetchingNextPage}
          onClick={() => void found.fetchNextPage()}
        >
          {t("comments.more")}
        </Button>
      )}
    </Panel>
  );
}

function Comment({ of, refetches }: { of: GuestComment; refetches: string[] }) {
  const { t } = useTranslation("stays");
  const { busy, run } = useAction(refetches);
  const { booking_id: booking = "", hidden = false } = of;
  const turn = () =>
    run(
      api.PATCH("/v1/stays/ratings/{booking_id}", {
        path: { booking_id: booking ?? "" },
        body: { hidden: !hidden },
      }),
      t(hidden ? "comments.showed" : "comments.hid"),
    );
  return (
    <>
      <p>
        <Link href={`/console/bookings/${booking}`}>
          {t("comments.of", { rating: number(of.rating) })}
        </Link>
        {" · "}
        {dateTime(of.rated_at, { dateStyle: "medium" })}{" "}
        {hidden && <Badge tone="warn">{t("comments.hidden")}</Badge>}
      </p>
      <p className="stays-comment">
        <bdi>{of.comment}</bdi>
      </p>
      <Button kind="quiet" size="small" busy={busy} onClick={turn}>
        {t(hidden ? "comments.show" : "comments.hide")}
      </Button>
    </>
  );
}
