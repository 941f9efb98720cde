// The visitor's holds and bookings.
import { useInfiniteQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Badge, Button, ButtonLink, Countdown, EmptyState, Icon, Loaded, useNow } from "~/design";
import { dateTime, longTime, money } from "~/i18n/format";
import { BY_PAGE } from "~/api/pages";
import type { ListedBooking } from "~/api/schema";
import { unitsIn, useLiveHolds } from "../holds";
import { useShop } from "../session";
import { nightsText } from "../nights";
import { worded } from "../worded";
import { inWords, wordingOf, type Wording } from "../wording";
import { Page } from "../shell/Page";
import { leftLines } from "./leftLines";
import { refundsState } from "./refunds";
import "./bookings.css";

const MyEntries = worded("shop_waitlist", () => import("../waitlist/MyEntries"));
const PAGE = 30;

const HOUR_MS = 3_600_000;

/** What the list shows of a booking. */
export type BookingItem = Pick<ListedBooking, "booking"> & {
  resource: Pick<ListedBooking["resource"], "name" | "starts_at" | "time_zone">;
};

/** Upcoming bookings, the nearest first, and past or cancelled ones, the latest first. */
export function splitByTime(
  items: readonly BookingItem[],
  now: number,
): { coming: BookingItem[]; past: BookingItem[] } {
  const isPast = (item: BookingItem) => item.booking.state === "cancelled" || endOf(item) < now;
  const at = ({ booking, resource }: BookingItem) =>
    Date.parse(resource.starts_at ?? rangeOf(booking)?.from ?? booking.confirmed_at);
  const coming = items.filter((one) => !isPast(one)).sort((one, other) => at(one) - at(other));
  const past = items.filter(isPast).sort((one, other) => at(other) - at(one));
  return { coming, past };
}

/** When it is over: a show some hours after it began, a stay at the end of its last day, an
 *  appointment at its own. */
function endOf({ booking, resource }: BookingItem): number {
  if (resource.starts_at !== null) return Date.parse(resource.starts_at) + 4 * HOUR_MS;
  const range = rangeOf(booking);
  if (range === null) return Infinity;
  return Date.parse(range.to) + (range.wording === "stay" ? 24 * HOUR_MS : 0);
}

type Range = { wording: Wording; from: string; to: string };

/** The days of a booked stay, or the times of an appointment; null for anything else. */
function rangeOf({ lines }: BookingItem["booking"]): Range | null {
  const { from, to } = lines[0] ?? {};
  const wording = wordingOf(lines);
  return wording !== "usual" && from && to ? { wording, from, to } : null;
}

export default function MyBookingsPage() {
  const { t } = useTranslation("shop");
  const { api, behindMs } = useShop();
  const now = useNow(60_000);
  const found = useInfiniteQuery({
    queryKey: ["bookings"],
    ...BY_PAGE,
    queryFn: ({ pageParam }) => api.GET("/v1/bookings", { query: { limit: PAGE, ...pageParam } }),
  });
  const items = (found.data?.pages ?? []).flatMap((page) => page.items);
  const { coming, past } = splitByTime(items, now + behindMs);
  const holds = useLiveHolds();
  const isEmpty = found.isSuccess && items.length === 0 && holds.items.length === 0;
  return (
    <Page title={t("bookings.title")} className="shop-narrow bookings-page">
      {holds.items.map((hold) => (
        <Link key={hold.id} href={`/checkout/${hold.id}`} className="bookings-held">
          <Icon name="clock" />
          <span>
            {t("bookings.held", {
              count: unitsIn(hold.lines),
              ...inWords(wordingOf(hold.lines)),
            })}
          </span>
          <strong>
            <Countdown
              endsAt={Date.parse(hold.expires_at)}
              behindMs={behindMs}
              onEnd={holds.refresh}
            />
          </strong>
          <span className="bookings-held-go">{t("bookings.go_on")}</span>
        </Link>
      ))}
      <Loaded of={found} height="10rem" />
      {isEmpty && (
        <EmptyState
          title={t("bookings.empty")}
          actions={<ButtonLink href="/">{t("bookings.browse")}</ButtonLink>}
        >
          <p>{t("bookings.empty_text")}</p>
        </EmptyState>
      )}
      <Suspense fallback={null}>
        <MyEntries />
      </Suspense>
      <BookingList title={t("bookings.coming")} items={coming} />
      <BookingList title={t("bookings.past")} items={past} />
      <p>
        <Link href="/find-bookings">{t("find.open")}</Link>
      </p>
      {found.hasNextPage && (
        <p>
          <Button
            kind="quiet"
            busy={found.isFetchingNextPage}
            onClick={() => void found.fetchNextPage()}
          >
            {t("bookings.more")}
          </Button>
        </p>
      )}
    </Page>
  );
}

export function BookingList({ title, items }: { title: string; items: readonly BookingItem[] }) {
  if (items.length === 0) return null;
  return (
    <section className="bookings-list">
      <h2>{title}</h2>
      <ul role="list">
        {items.map((one) => (
          <li key={one.booking.id}>
            <Row {...one} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Row({ booking, resource }: BookingItem) {
  const { t } = useTranslation("shop");
  const refunds = refundsState(booking.refunds);
  const range = rangeOf(booking);
  const count = leftLines(booking).reduce((sum, line) => sum + line.left, 0);
  return (
    <Link href={`/bookings/${booking.id}`} className="card bookings-row">
      {resource.starts_at !== null && (
        <span className="bookings-date" aria-hidden="true">
          <span>{dateTime(resource.starts_at, { month: "short" }, resource.time_zone)}</span>
          <strong>{dateTime(resource.starts_at, { day: "numeric" }, resource.time_zone)}</strong>
        </span>
      )}
      <span className="bookings-words">
        <strong>
          <bdi>{resource.name}</bdi>
        </strong>
        {resource.starts_at !== null && (
          <span className="shop-quiet">{longTime(resource.starts_at, resource.time_zone)}</span>
        )}
        {range !== null && (
          <span className="shop-quiet">
            {range.wording === "stay"
              ? nightsText(t, range.from, range.to)
              : longTime(range.from, resource.time_zone)}
          </span>
        )}
        <span className="shop-quiet">
          {count > 0 &&
            `${t("bookings.count", { count, ...inWords(wordingOf(booking.lines)) })} · `}
          {money(booking.amount.amount, booking.amount.currency)}
        </span>
      </span>
      {booking.state === "cancelled" && <Badge tone="bad">{t("bookings.cancelled")}</Badge>}
      {refunds === "pending" && <Badge tone="accent">{t("refunds.pending")}</Badge>}
      <Icon name="forward" flip />
    </Link>
  );
}
