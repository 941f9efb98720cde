// The rooms that can be opened in the editor: those of the resources with seats, a new one, a file.
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Button, ButtonLink } from "~/design/Button";
import { EmptyState, ErrorNote, Skeleton } from "~/design/Feedback";
import { Field } from "~/design/Field";
import { dateTime, number } from "~/i18n/format";
import type { SeatsPlan } from "~/seatmap/plan";
import { makeRoom } from "~/seatmap/room";
import { listRooms, type RoomEntry } from "./engine";
import "./editor-rooms.css";

export default function RoomsPage() {
  const { t, ready } = useTranslation("editor");
  const [query, setQuery] = useState("");
  const rooms = useInfiniteQuery({
    queryKey: ["editor", "rooms"],
    queryFn: ({ pageParam }) => listRooms(pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  });
  useEffect(() => {
    if (ready) document.title = t("rooms.title");
  }, [t, ready]);
  if (!ready) return <Skeleton height="20rem" />;
  const wanted = query.trim().toLowerCase();
  const all = rooms.data?.pages.flatMap((page) => page.items) ?? [];
  const items = all.filter((room) => room.name.toLowerCase().includes(wanted));
  return (
    <div className="rooms">
      <header className="rooms-head">
        <div>
          <h1>{t("rooms.title")}</h1>
          <p>{t("rooms.text")}</p>
        </div>
        <ButtonLink href="/console/editor?new">{t("rooms.new")}</ButtonLink>
      </header>
      <Field
        label={t("rooms.find")}
        type="search"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      {rooms.error && <ErrorNote error={rooms.error} onRetry={() => void rooms.refetch()} />}
      {rooms.isPending && (
        <div className="rooms-grid">
          {[1, 2, 3, 4, 5, 6].map((place) => (
            <Skeleton key={place} height="13.5rem" />
          ))}
        </div>
      )}
      {rooms.isSuccess && items.length === 0 && (
        <EmptyState title={t(all.length === 0 ? "rooms.none" : "rooms.none_found")}>
          <p>{t(all.length === 0 ? "rooms.none_text" : "rooms.none_found_text")}</p>
        </EmptyState>
      )}
      <ul role="list" className="rooms-grid">
        {items.map((room) => (
          <li key={room.id}>
            <RoomCard room={room} />
          </li>
        ))}
      </ul>
      {rooms.hasNextPage && (
        <Button
          kind="quiet"
          busy={rooms.isFetchingNextPage}
          onClick={() => void rooms.fetchNextPage()}
        >
          {t("rooms.more")}
        </Button>
      )}
    </div>
  );
}

function RoomCard({ room }: { room: RoomEntry }) {
  const { t } = useTranslation("editor");
  const made = useMemo(() => (room.plan === null ? null : makeRoom(room.plan)), [room.plan]);
  return (
    <Link href={`/console/editor?resource=${encodeURIComponent(room.id)}`} className="rooms-card">
      {made && room.plan ? <Thumbnail plan={room.plan} /> : <span className="rooms-blank" />}
      <strong>{room.name}</strong>
      <span>
        {made && t("seats", { count: made.units.length, shown: number(made.units.length) })}
        {room.startsAt &&
          ` · ${dateTime(room.startsAt, { dateStyle: "medium", timeStyle: "short" }, room.timeZone)}`}
      </span>
    </Link>
  );
}

const DOTS_MAX = 700;

/** A room as small as a stamp: some of its seats as dots. */
function Thumbnail({ plan }: { plan: SeatsPlan }) {
  const room = useMemo(() => makeRoom(plan), [plan]);
  const { left, top, right, bottom } = room.box;
  const every = Math.max(1, Math.ceil(room.units.length / DOTS_MAX));
  const reach = 0.36 * Math.sqrt(every);
  const stage = plan.stage;
  return (
    <svg
      className="rooms-thumbnail"
      viewBox={`${left} ${top} ${right - left} ${bottom - top}`}
      aria-hidden="true"
    >
      {stage && (
        <rect
          className="rooms-stage"
          x={(stage.x ?? 0) - (stage.width ?? 10) / 2}
          y={(stage.y ?? 0) - (stage.height ?? 1) / 2}
          width={stage.width ?? 10}
          height={stage.height ?? 1}
        />
      )}
      {room.pools.map((pool) => (
        <polygon
          key={pool.unit}
          className="rooms-pool"
          points={pool.outline.map(([x, y]) => `${x},${y}`).join(" ")}
        />
      ))}
      {room.units.flatMap((unit, at) =>
        at % every === 0 ? (
          <circle
            key={unit}
            cx={room.x[at]}
            cy={room.y[at]}
            r={reach}
            fill={room.categories[room.category[at] ?? 0]?.color ?? "currentColor"}
          />
        ) : (
          []
        ),
      )}
    </svg>
  );
}
