// What a visitor waits for, among the visitor's bookings.
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { WaitlistEntry } from "~/api/schema";
import { Badge, Icon } from "~/design";
import { useShop } from "../session";
import { useResource } from "../useResource";
import { PlaceWords, resourceOf } from "./WishFacts";
import "./waitlist.css";

const POLL_MS = 15_000;

export default function MyEntries() {
  const { t } = useTranslation("shop_waitlist");
  const { api } = useShop();
  const found = useQuery({
    queryKey: ["waitlist-entries"],
    refetchInterval: POLL_MS,
    queryFn: () => api.GET("/v1/waitlist-entries", { query: {} }),
  });
  const items = (found.data?.items ?? []).filter(
    ({ state }) => state === "waiting" || state === "offered",
  );
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
    </section>
  );
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
