// The queues of a waiting room that has several: how each of them stands, and where it is joined.
import { useTranslation } from "react-i18next";
import type { WaitingRoom, WaitingRoomNow } from "~/api/schema";
import { Badge } from "~/design";
import { number } from "~/i18n/format";
import { type Column, CopyText, DataTable, Panel } from "../parts";

type Queue = WaitingRoom["queues"][number] & {
  readonly now: WaitingRoomNow["queues"][number] | undefined;
};
type PanelProps = { room: WaitingRoom; told: WaitingRoomNow | undefined };

const counted = (count: number | undefined) => (count === undefined ? "–" : number(count));

export function QueuesPanel({ room, told }: PanelProps) {
  const { t } = useTranslation("waiting_rooms");
  const shares = room.queues.reduce((sum, { share }) => sum + (share ?? 1), 0);
  const queues: Queue[] = room.queues.map((queue) => ({
    ...queue,
    now: told?.queues.find(({ name }) => name === queue.name),
  }));
  const columns: readonly Column<Queue>[] = [
    {
      key: "queue",
      leads: true,
      cell: ({ name, invited }) => (
        <>
          <bdi>{name}</bdi> {invited === true && <Badge>{t("queues.invited")}</Badge>}
        </>
      ),
    },
    {
      key: "share",
      numeric: true,
      cell: ({ share }) => number((share ?? 1) / shares, { style: "percent" }),
    },
    { key: "joined", numeric: true, cell: ({ now }) => counted(now?.joined) },
    { key: "waiting", numeric: true, cell: ({ now }) => counted(now?.waiting) },
    { key: "a_minute", numeric: true, cell: ({ now }) => counted(now?.a_minute) },
    {
      key: "page",
      cell: ({ name }) => (
        <CopyText
          text={`${globalThis.location.origin}/waiting/${room.id}?queue=${name}`}
          label={t("queues.page", { queue: name })}
        />
      ),
    },
  ];
  return (
    <Panel title={t("queues.title")} lead={t("queues.lead")}>
      <DataTable
        label={t("queues.title")}
        words="waiting_queues"
        columns={columns.filter(({ key }) => key !== "page" || room.state !== "ended")}
        rows={queues}
        rowKey={({ name }) => name}
        empty={{ title: "" }}
      />
    </Panel>
  );
}
