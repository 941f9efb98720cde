// Makes a waiting room.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useSearch } from "wouter";
import { Button, ErrorNote, Field, Loaded, Note, TextArea } from "~/design";
import { Form, PageHead, Panel, RadioGroup } from "../parts";
import { useDraft } from "../saving/useDraft";
import { useSave } from "../saving/useSave";
import { api } from "../session";
import { ChallengeField } from "./ChallengePanel";
import { QueueFields } from "./QueueFields";
import { ResourcePicker } from "./ResourcePicker";
import {
  MESSAGE_MAX,
  NAME_MAX,
  newRoomDraft,
  ownZone,
  roomFaults,
  roomOf,
  type EarlyOrder,
  type PickedResource,
  type RoomDraft,
} from "./roomDraft";
import { resourceQuery } from "../resources";
import { SpeedFields } from "./SpeedFields";

const ORDERS: readonly EarlyOrder[] = ["shuffle", "first_come"];
const STALE = ["pages", "/v1/waiting-rooms"] as const;

/** Who comes from the page of a show finds it chosen. */
export function NewRoomPage() {
  const { t } = useTranslation("waiting_rooms");
  const resource = new URLSearchParams(useSearch()).get("resource");
  return (
    <>
      <PageHead
        title={t("new")}
        lead={t("new_lead")}
        back={{ href: "/console/waiting-rooms", label: t("title") }}
      />
      {resource === null ? <NewRoomForm picked={[]} /> : <NewRoomOf resource={resource} />}
    </>
  );
}

function NewRoomOf({ resource }: { resource: string }) {
  const found = useQuery(resourceQuery(resource));
  return (
    <Loaded of={found} height="24rem">
      {({ id, name }) => <NewRoomForm picked={[{ id, name }]} />}
    </Loaded>
  );
}

function NewRoomForm({ picked }: { picked: readonly PickedResource[] }) {
  const { t } = useTranslation("waiting_rooms");
  const [, navigate] = useLocation();
  const [begin] = useState(() => newRoomDraft(Date.now(), picked));
  const { draft, faults, change, attempt } = useDraft(begin, roomFaults);
  const { busy, error, save } = useSave(STALE);
  const wrong = (name: string) => (faults.includes(name) ? t(`wrong.${name}`) : null);
  const submit = () => {
    const body = roomOf(draft);
    if (!attempt() || body === null) return;
    void save(
      () => api.POST("/v1/waiting-rooms", { body }),
      ({ id }) => navigate(`/console/waiting-rooms/${id}`),
    );
  };
  return (
    <Form className="programme-page-form" busy={busy} onSubmit={submit}>
      <Panel title={t("form.what")}>
        <div className="programme-form">
          <Field
            label={t("form.name")}
            hint={t("form.name_hint")}
            error={wrong("name")}
            value={draft.name}
            maxLength={NAME_MAX}
            dir="auto"
            onChange={({ target }) => change({ name: target.value })}
          />
          <ResourcePicker
            legend={t("form.resources")}
            picked={draft.resources}
            error={wrong("resources")}
            onChange={(resources) => change({ resources })}
          />
        </div>
      </Panel>
      <Panel title={t("form.when")} lead={t("form.clocks", { zone: ownZone() })}>
        <WhenFields draft={draft} wrong={wrong} onChange={change} />
      </Panel>
      <Panel title={t("form.lines")} lead={t("form.lines_lead")}>
        <QueueFields
          queues={draft.queues}
          faults={faults}
          onChange={(queues) => change({ queues })}
        />
      </Panel>
      <Panel title={t("form.speed")}>
        <div className="programme-form">
          <SpeedFields draft={draft} faults={faults} onChange={change} />
          <TextArea
            label={t("message.label")}
            hint={t("message.hint")}
            value={draft.message}
            rows={2}
            maxLength={MESSAGE_MAX}
            dir="auto"
            onChange={({ target }) => change({ message: target.value })}
          />
        </div>
      </Panel>
      <Panel title={t("challenge.title")} lead={t("challenge.lead")}>
        <div className="programme-form">
          <ChallengeField value={draft.challenge} onChange={(challenge) => change({ challenge })} />
        </div>
      </Panel>
      {error !== null && <ErrorNote error={error} />}
      {faults.length > 0 && <Note tone="warn">{t("wrong.some")}</Note>}
      <div className="console-actions">
        <Button type="submit" busy={busy}>
          {t("make")}
        </Button>
      </div>
    </Form>
  );
}

type WhenProps = {
  draft: RoomDraft;
  wrong: (name: string) => string | null;
  onChange: (part: Partial<RoomDraft>) => void;
};

function WhenFields({ draft, wrong, onChange }: WhenProps) {
  const { t } = useTranslation("waiting_rooms");
  return (
    <div className="programme-form">
      <div className="programme-pair">
        <Field
          label={t("form.opens")}
          hint={t("form.opens_hint")}
          error={wrong("opens")}
          type="datetime-local"
          value={draft.opens}
          onChange={({ target }) => onChange({ opens: target.value })}
        />
        <Field
          label={t("form.earlyOpens")}
          hint={t("form.earlyOpens_hint")}
          error={wrong("earlyOpens")}
          type="datetime-local"
          value={draft.earlyOpens}
          onChange={({ target }) => onChange({ earlyOpens: target.value })}
        />
      </div>
      <RadioGroup
        label={t("form.order")}
        value={draft.order}
        onChange={(order) => onChange({ order })}
        choices={ORDERS.map((value) => ({
          value,
          title: t(`form.orders.${value}`),
          text: t(`form.orders.${value}_text`),
        }))}
      />
    </div>
  );
}
