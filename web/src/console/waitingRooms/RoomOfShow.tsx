// On the page of a show or a date: the waiting room that it is behind, or the way to one.
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { ButtonLink, Loaded } from "~/design";
import { Panel, When } from "../parts";
import { api, useOwnSession } from "../session";
import { RoomState } from "./RoomState";
import { roomOfShow } from "./ofShow";
import { PATH } from "./RoomsPage";

// The newest: one in which something is sold is among them.
const ROOMS_MAX = 100;

export function RoomOfShow({ resource }: { resource: string }) {
  const { t, ready } = useTranslation("waiting_rooms");
  const session = useOwnSession();
  const scopes = session?.scopes ?? [];
  // Who sees some shows alone is not told of rooms, in which there may be others.
  const mayManage = scopes.includes("manage");
  const mayRead = (mayManage || scopes.includes("read")) && session?.is_bound === false;
  const found = useQuery({
    // Under the key of the list, which is read anew when a room is made.
    queryKey: ["pages", PATH, "of-show"],
    enabled: mayRead,
    queryFn: () => api.GET(PATH, { query: { limit: ROOMS_MAX } }),
    select: ({ items }) => roomOfShow(items, resource),
  });
  if (!mayRead || !ready) return null;
  const lead = found.data === null ? t("of_show.none") : undefined;
  const make = mayManage && found.data === null && (
    <ButtonLink kind="quiet" size="small" href={`/console/waiting-rooms/new?resource=${resource}`}>
      {t("new")}
    </ButtonLink>
  );
  return (
    <Panel title={t("of_show.title")} lead={lead} actions={make}>
      <Loaded of={found} height="3rem">
        {(room) =>
          room !== null && (
            <p className="console-facts">
              <Link href={`/console/waiting-rooms/${room.id}`} className="console-row-link">
                <bdi>{room.name}</bdi>
              </Link>
              <RoomState of={room} />
              <span>
                {t(room.opened_at === null ? "opens_at" : "opened_at")}{" "}
                <When at={room.opened_at ?? room.opens_at} />
              </span>
              <span>{t("of_show.joined", { count: room.joined })}</span>
            </p>
          )
        }
      </Loaded>
    </Panel>
  );
}
