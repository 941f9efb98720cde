// What is sold behind a waiting room, and when.
import { useQueries } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { WaitingRoomNow } from "~/api/schema";
import { dateTime, eventTime } from "~/i18n/format";
import { useShop } from "../session";
import { seatsPlan } from "../units";
import { hasOpened } from "./standing";

const SHOWN_MAX = 6;
const WHEN: Intl.DateTimeFormatOptions = { dateStyle: "full", timeStyle: "short" };

/** Times of a waiting room are of no place: they are told by this device's clocks. */
export function whenOf(at: string): string {
  return dateTime(at, WHEN);
}

/** The first of what is sold behind a room. */
export function useSold(room: WaitingRoomNow) {
  const { api } = useShop();
  const found = useQueries({
    queries: room.resources.slice(0, SHOWN_MAX).map((id) => ({
      queryKey: ["resource", id],
      queryFn: () => api.GET("/v1/resources/{resource_id}", { path: { resource_id: id } }),
    })),
  });
  return found.flatMap(({ data }) => (data === undefined ? [] : [data]));
}

export function SoldHere({ room }: { room: WaitingRoomNow }) {
  const { t } = useTranslation("shop_waiting");
  const sold = useSold(room);
  const more = room.resources.length - SHOWN_MAX;
  return (
    <div className="waiting-sold">
      {sold.length > 0 && (
        <ul role="list">
          {sold.map((one) => (
            <li key={one.id}>
              {seatsPlan(one) === null ? (
                <bdi>{one.name}</bdi>
              ) : (
                <Link href={`/shows/${one.id}`}>
                  <bdi>{one.name}</bdi>
                </Link>
              )}
              {one.starts_at !== null && (
                <span className="shop-quiet">
                  {" "}
                  · {eventTime(one.starts_at, undefined, one.time_zone)}
                </span>
              )}
            </li>
          ))}
          {more > 0 && <li className="shop-quiet">{t("more_sold", { count: more })}</li>}
        </ul>
      )}
      {!hasOpened(room) && (
        <p className="shop-quiet">{t("sale_at", { when: whenOf(room.opens_at) })}</p>
      )}
    </div>
  );
}
