// All waiting rooms, the newest first.
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { WaitingRoom } from "~/api/schema";
import { ButtonLink } from "~/design";
import { number } from "~/i18n/format";
import { type Column, DataTable, PageHead, usePages, When } from "../parts";
import { useMay } from "../session";
import { RoomState } from "./RoomState";

export const PATH = "/v1/waiting-rooms";
const REFRESH_MS = 4000;
const NONE = {};

const COLUMNS: readonly Column<WaitingRoom>[] = [
  {
    key: "room",
    leads: true,
    cell: ({ id, name }) => (
      <Link href={`/console/waiting-rooms/${id}`} className="console-row-link">
        <bdi>{name}</bdi>
      </Link>
    ),
  },
  { key: "state", cell: (room) => <RoomState of={room} /> },
  { key: "opens", cell: ({ opens_at: at }) => <When at={at} /> },
  { key: "joined", numeric: true, cell: ({ joined }) => number(joined) },
  { key: "let_in", numeric: true, cell: ({ let_in: count }) => number(count) },
  { key: "inside", numeric: true, cell: ({ inside }) => number(inside) },
  { key: "bought", numeric: true, cell: ({ bought }) => number(bought) },
];

export function RoomsPage() {
  const { t } = useTranslation("waiting_rooms");
  const rooms = usePages(PATH, { query: NONE }, REFRESH_MS);
  const mayManage = useMay("manage");
  const make = mayManage && <ButtonLink href="/console/waiting-rooms/new">{t("new")}</ButtonLink>;
  return (
    <>
      <PageHead title={t("title")} lead={t("lead")} actions={make} />
      <DataTable
        label={t("title")}
        words="waiting_rooms"
        columns={COLUMNS}
        {...rooms}
        rowKey={({ id }) => id}
        empty={{ title: t("none"), text: t("none_text") }}
      />
    </>
  );
}
