// The rooms that can be opened in the editor: those of the resources with seats, a new one, a file.
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { BY_PAGE } from "~/api/pages";
import { Button, ButtonLink, EmptyState, ErrorNote, Field, Skeleton } from "~/design";
import { dateTime } from "~/i18n/format";
import { makeRoom } from "~/seatmap/room";
import { listRooms } from "./engine";
import { Thumbnail } from "./RoomPicture";
import "./editor-rooms.css";

type Entry = Awaited<ReturnType<typeof listRooms>>["items"][number];

export default function RoomsPage() {
  const { t, ready } = useTranslation("editor");
  useEffect(() => {
    if (ready) document.title = t("rooms.title");
  }, [t, ready]);
  if (!ready) return <Skeleton height="20rem" />;
  return (
    <div className="rooms">
      <header className="rooms-head">
        <div>
          <h1>{t("rooms.title")}</h1>
          <p>{t("rooms.text")}</p>
        </div>
        <ButtonLink href="/console/editor?new">{t("rooms.new")}</ButtonLink>
      </header>
      <Rooms />
    </div>
  );
}

function Rooms() {
  const { t } = useTranslation("editor");
  const [query, setQuery] = useState("");
  const rooms = useInfiniteQuery({
    queryKey: ["editor", "rooms"],
    queryFn: ({ pageParam }) => listRooms(pageParam),
    ...BY_PAGE,
  });
  const wanted = query.trim().toLowerCase();
  const all = rooms.data?.pages.flatMap((page) => page.items) ?? [];
  const items = all.filter((room) => room.name.toLowerCase().includes(wanted));
  const none = all.length === 0 ? "rooms.none" : "rooms.none_found";
  return (
    <>
      <Field
        label={t("rooms.find")}
        type="search"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      {rooms.error && <ErrorNote error={rooms.error} onRetry={() => void rooms.refetch()} />}
      {rooms.isSuccess && items.length === 0 && (
        <EmptyState title={t(none)}>
          <p>{t(`${none}_text`)}</p>
        </EmptyState>
      )}
      <ul role="list" className="rooms-grid">
        {rooms.isPending
          ? [1, 2, 3, 4, 5, 6].map((place) => (
              <li key={place}>
                <Skeleton height="13.5rem" />
              </li>
            ))
          : items.map((room) => (
              <li key={room.id}>
                <RoomCard entry={room} />
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
    </>
  );
}

const WHEN = { dateStyle: "medium", timeStyle: "short" } as const;

function RoomCard({ entry }: { entry: Entry }) {
  const { t } = useTranslation("editor");
  const { id, name, plan, starts_at: starts, time_zone: zone } = entry;
  const room = useMemo(() => makeRoom(plan), [plan]);
  const count = room.units.length;
  return (
    <Link href={`/console/editor?resource=${encodeURIComponent(id)}`} className="rooms-card">
      <Thumbnail room={room} stage={plan.stage} />
      <strong>{name}</strong>
      <span>
        {t("seats", { count })}
        {starts && ` · ${dateTime(starts, WHEN, zone)}`}
      </span>
    </Link>
  );
}
