// The invitation codes of a waiting room: batches are made, taken home as files, and revoked.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { WaitingRoom } from "~/api/schema";
import { Badge, Field, Icon, Select } from "~/design";
import { number } from "~/i18n/format";
import { ActButton, type Column, DataTable, Panel, When } from "../parts";
import { api } from "../session";
import { InviteLookUp } from "./InviteLookUp";
import { batchOf, filesOf, INVITE_NAME_MAX, type InviteBatch } from "./inviteDraft";
import { ownZone } from "./roomDraft";

const LOOK_MS = 10_000;

const keyOf = (room: string) => ["invite-batches", room];

export function InvitesPanel({ room, mayManage }: { room: WaitingRoom; mayManage: boolean }) {
  const { t } = useTranslation("waiting_rooms");
  const found = useQuery({
    queryKey: keyOf(room.id),
    queryFn: () =>
      api.GET("/v1/waiting-rooms/{waiting_room_id}/invite-batches", {
        path: { waiting_room_id: room.id },
      }),
    refetchInterval: LOOK_MS,
  });
  const batches = found.data?.items;
  const isOver = room.state === "ended";
  if (batches?.length === 0 && (isOver || !mayManage)) return null;
  const columns: readonly Column<InviteBatch>[] = [
    { key: "name", leads: true, cell: ({ name }) => <bdi>{name}</bdi> },
    { key: "queue", cell: ({ queue }) => <bdi>{queue}</bdi> },
    { key: "codes", numeric: true, cell: ({ codes }) => number(codes) },
    { key: "used", numeric: true, cell: usedOf },
    { key: "state", cell: (batch) => <State batch={batch} /> },
    {
      key: "acts",
      cell: (batch) => mayManage && <BatchActs room={room.id} batch={batch} />,
    },
  ];
  return (
    <Panel title={t("invites.title")} lead={t("invites.lead")}>
      <DataTable
        label={t("invites.title")}
        words="waiting_invites"
        columns={columns.filter(({ key }) => key !== "acts" || mayManage)}
        rows={batches}
        rowKey={({ batch }) => String(batch)}
        error={found.error}
        onRetry={() => void found.refetch()}
        empty={{ title: t("invites.none") }}
        skeletonRows={2}
      />
      {mayManage && !isOver && (
        <div className="console-actions">
          <NewBatch room={room} />
        </div>
      )}
      {mayManage && batches !== undefined && batches.length > 0 && (
        <InviteLookUp room={room.id} refetches={keyOf(room.id)} />
      )}
    </Panel>
  );
}

const rangeOf = (from: number, to: number) => `${number(from)}–${number(to)}`;

/** How many persons have joined, of how many there may be. */
function usedOf({ used, codes, persons }: InviteBatch): string {
  return `${number(used)} / ${number(codes * persons)}`;
}

function State({ batch }: { batch: InviteBatch }) {
  const { t } = useTranslation("waiting_rooms");
  if (batch.revoked_at !== null) return <Badge tone="bad">{t("invites.revoked")}</Badge>;
  if (batch.until === null) return t("invites.as_long");
  return (
    <>
      {t("invites.until")} <When at={batch.until} />
    </>
  );
}

function BatchActs({ room, batch }: { room: string; batch: InviteBatch }) {
  const { t } = useTranslation("waiting_rooms");
  const files = filesOf(room, batch);
  return (
    <div className="console-actions">
      {files.map(({ from, to, href }) => (
        <a
          key={href}
          className="button"
          data-kind="quiet"
          data-size="small"
          href={href}
          download
          aria-label={t("invites.file_of", { name: batch.name, range: rangeOf(from, to) })}
        >
          <Icon name="download" size={16} />
          {files.length === 1 ? t("invites.file") : rangeOf(from, to)}
        </a>
      ))}
      {batch.revoked_at === null && (
        <ActButton
          size="small"
          title={t("invites.revoke_title", { name: batch.name })}
          label={t("invites.revoke")}
          verb={t("invites.revoke")}
          dangerous
          refetches={keyOf(room)}
          act={async () => {
            await api.DELETE("/v1/waiting-rooms/{waiting_room_id}/invite-batches/{batch}", {
              path: { waiting_room_id: room, batch: batch.batch },
            });
            return t("invites.revoke_done");
          }}
        >
          <p>{t("invites.revoke_text", { count: batch.used })}</p>
        </ActButton>
      )}
    </div>
  );
}

function NewBatch({ room }: { room: WaitingRoom }) {
  const { t } = useTranslation("waiting_rooms");
  const first = room.queues.find(({ invited }) => invited) ?? room.queues[0];
  const empty = { queue: first?.name ?? "", name: "", codes: "", persons: "1", until: "" };
  const [draft, setDraft] = useState(empty);
  const put = (part: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...part }));
  const batch = batchOf(draft);
  return (
    <ActButton
      title={t("invites.make_title")}
      label={t("invites.new")}
      verb={t("invites.make")}
      disabled={batch === null}
      refetches={keyOf(room.id)}
      act={async (key) => {
        if (batch === null) return undefined;
        await api.POST("/v1/waiting-rooms/{waiting_room_id}/invite-batches", {
          path: { waiting_room_id: room.id },
          body: batch,
          key,
        });
        setDraft(empty);
        return t("invites.made", { count: batch.codes });
      }}
    >
      <Select
        label={t("invites.queue")}
        value={draft.queue}
        onChange={({ target }) => put({ queue: target.value })}
      >
        {room.queues.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </Select>
      <Field
        label={t("invites.name")}
        hint={t("invites.name_hint")}
        value={draft.name}
        maxLength={INVITE_NAME_MAX}
        dir="auto"
        autoComplete="off"
        onChange={({ target }) => put({ name: target.value })}
      />
      <Field
        label={t("invites.codes")}
        hint={t("invites.codes_hint")}
        value={draft.codes}
        inputMode="numeric"
        dir="ltr"
        maxLength={6}
        autoComplete="off"
        onChange={({ target }) => put({ codes: target.value })}
      />
      <Field
        label={t("invites.persons")}
        hint={t("invites.persons_hint")}
        value={draft.persons}
        inputMode="numeric"
        dir="ltr"
        maxLength={4}
        autoComplete="off"
        onChange={({ target }) => put({ persons: target.value })}
      />
      <Field
        label={t("invites.good_until")}
        hint={t("invites.good_until_hint", { zone: ownZone() })}
        type="datetime-local"
        value={draft.until}
        onChange={({ target }) => put({ until: target.value })}
      />
    </ActButton>
  );
}
