// What an entry of a waitlist waits for: names, dates and times as people read them.
import { useQueries } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Problem } from "~/api/client";
import type { Resource, WaitlistEntry, WantedPlace } from "~/api/schema";
import { comma, dateTime, eventTime, money, number } from "~/i18n/format";
import { rangeWords } from "../rangeWords";
import { useShop } from "../session";
import { askedOf, isSeated } from "./choices";

/** The resources of a wish by their ids, as far as they are here; null for one that is not found. */
function useWished(places: readonly WantedPlace[]): ReadonlyMap<string, Resource | null> {
  const { api } = useShop();
  const ids = [...new Set(places.map((place) => place.resource_id))];
  const found = useQueries({
    queries: ids.map((id) => ({
      queryKey: ["resource", id],
      queryFn: () => api.GET("/v1/resources/{resource_id}", { path: { resource_id: id } }),
    })),
  });
  return new Map(
    found.flatMap((one, at) => {
      const resource = resourceOf(one);
      return resource === undefined ? [] : [[ids[at] ?? "", resource]];
    }),
  );
}

/** What was found; null where it is not there, or not shown to guests any more; undefined: nobody knows yet. */
export function resourceOf(found: {
  data: Resource | undefined;
  error: unknown;
}): Resource | null | undefined {
  const { data, error } = found;
  return error instanceof Problem && error.code === "resource_not_found" ? null : data;
}

export function WishFacts({ entry: { wish, until, state } }: { entry: WaitlistEntry }) {
  const { t } = useTranslation("shop_waitlist");
  const resources = useWished(wish.places);
  const isWaiting = state === "waiting" || state === "offered";
  const first = resources.get(wish.places[0]?.resource_id ?? "") ?? undefined;
  const isStay = first !== undefined && askedOf(first) === "nights";
  const wanted = wish.categories ?? [];
  const isSeating = first !== undefined && wish.party > 1 && isSeated(first, wanted[0] ?? "");
  const named = (name: string) =>
    name === "standard" ? t("standard") : nameIn(resources.values(), name);
  return (
    <dl className="waitlist-facts">
      <dt>{t(isWaiting ? "wished" : "wished_over")}</dt>
      <dd>
        <ul role="list" className="waitlist-wished">
          {wish.places.map((place) => (
            <li key={`${place.resource_id} ${place.from} ${place.to} ${place.rate}`}>
              <PlaceWords place={place} of={resources.get(place.resource_id)} />
            </li>
          ))}
        </ul>
      </dd>
      <dt>{isStay ? t("rooms") : t("party_of")}</dt>
      <dd>{number(wish.party)}</dd>
      {wish.guests !== undefined && (
        <>
          <dt>{t("guests")}</dt>
          <dd>{number(wish.guests)}</dd>
        </>
      )}
      {wanted.length > 0 && (
        <>
          <dt>{t("wanted")}</dt>
          <dd>
            <bdi>{wanted.map(named).join(comma())}</bdi>
          </dd>
        </>
      )}
      {isSeating && (
        <>
          <dt>{t("seating")}</dt>
          <dd>{t(wish.seating ?? "together")}</dd>
        </>
      )}
      {wish.price_max !== undefined && first !== undefined && (
        <>
          <dt>{t("price_most")}</dt>
          <dd>{money(wish.price_max, first.price.currency)}</dd>
        </>
      )}
      {until !== null && (
        <>
          <dt>{t("until")}</dt>
          <dd>{dateTime(until)}</dd>
        </>
      )}
    </dl>
  );
}

/** A name as the first resource that has a word for it says it. */
function nameIn(resources: Iterable<Resource | null>, name: string): string {
  for (const resource of resources) {
    const said = resource?.words?.[name];
    if (said !== undefined) return said;
  }
  return name;
}

type PlaceProps = { place: WantedPlace; of: Resource | null | undefined };

/** What a resource is called, and when it is; a skeleton until it is here. */
export function PlaceWords({ place, of }: PlaceProps) {
  const { t } = useTranslation("shop_waitlist");
  if (of === null) return <span className="shop-quiet">{t("gone")}</span>;
  if (of === undefined) return <span className="skeleton waitlist-unknown" aria-hidden="true" />;
  const range = rangeWords(of, place.from, place.to);
  return (
    <>
      <bdi>{of.name}</bdi>
      {of.starts_at !== null && <>, {eventTime(of.starts_at, undefined, of.time_zone)}</>}
      {range !== "" && (
        <>
          , <bdi>{range}</bdi>
        </>
      )}
      {place.rate !== undefined && (
        <>
          , <bdi>{of.words?.[place.rate] ?? place.rate}</bdi>
        </>
      )}
    </>
  );
}
