// What a visitor waits for, among the visitor's bookings.
import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { BY_PAGE } from "~/api/pages";
import type { WaitlistEntry } from "~/api/schema";
import { Badge, Button, Icon } from "~/design";
import { useShop } from "../session";
import { useResource } from "../useResource";
import { PlaceWords, resourceOf } from "./WishFacts";
import "./waitlist.css";

const POLL_MS = 15_000;

export default function MyEntries() {
  const { t } = useTranslation("shop_waitlist");
  const { t: words } = useTranslation("shop");
  const { api } = useShop();
  const found = useInfiniteQuery({
    queryKey: ["waitlist-entries"],
    ...BY_PAGE,
    refetchInterval: POLL_MS,
    queryFn: ({ pageParam }) => api.GET("/v1/waitlist-entries", { query: pageParam }),
  });
  const all = (found.data?.pages ?? []).flatMap((page) => page.items);
  const items = all.filter(goesOn);
  const last = all.at(-1);
  if (items.length === 0) return null;
  return (
    <section className="bookings-list">
      <h2>{t("mine")}</h2>
      <ul role="list">
        {items.map((entry) => (
          <li key={entry.id}>
            <Row entry={entry} />
          </li>
        ))}
      </ul>
      {/* Behind the first that has ended there are no others. */}
      {found.hasNextPage && last !== undefined && goesOn(last) && (
        <p>
          <Button
            kind="quiet"
            busy={found.isFetchingNextPage}
            onClick={() => void found.fetchNextPage()}
          >
            {words("bookings.more")}
          </Button>
        </p>
      )}
    </section>
  );
}

function goesOn({ state }: WaitlistEntry): boolean {
  return state === "waiting" || state === "offered";
}

function Row({ entry }: { entry: WaitlistEntry }) {
  const { t } = useTranslation("shop_waitlist");
  const [place] = entry.wish.places;
  const resource = resourceOf(useResource(place?.resource_id ?? ""));
  const others = entry.wish.places.length - 1;
  return (
    <Link href={`/waitlist/${entry.id}`} className="card bookings-row">
      <span className="bookings-words">
        <strong>{place !== undefined && <PlaceWords place={place} of={resource} />}</strong>
        {others > 0 && <span className="shop-quiet">{t("and_others", { count: others })}</span>}
      </span>
      <Badge tone={entry.state === "offered" ? "good" : "plain"}>{t(`state_${entry.state}`)}</Badge>
      <Icon name="forward" flip />
    </Link>
  );
}
