// A new hall: rows of seats, areas to stand in, or a room that was drawn in the editor.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import type { SeatsPlan as FullPlan } from "~/api/schema";
import { Field, useToast } from "~/design";
import { FormPanel, PageHead } from "../parts";
import { EditorPanel, KindPanel, type RoomKind } from "../plans/KindPanel";
import { RoomFields, RoomPreview } from "../plans/RoomFields";
import { type TypedKind, useRoomDraft } from "../plans/useRoomDraft";
import { api } from "../session";
import { PROGRAMME, useVenue } from "./calls";
import { Refused } from "./Refused";
import { useSave } from "../saving/useSave";

export function NewHallPage({ venue: id }: { venue: string }) {
  const { t } = useTranslation("programme");
  const venue = useVenue(id);
  const [kind, setKind] = useState<RoomKind>("rows");
  const name = venue.data?.name ?? t("venue.one");
  return (
    <>
      <PageHead
        title={t("halls.new")}
        lead={t("halls.new_lead")}
        back={{ href: `/console/programme/venues/${id}`, label: name }}
      />
      <KindPanel title={t("hall.kind")} kind={kind} onChange={setKind} />
      {kind === "editor" ? (
        <EditorPanel lead={t("hall.editor_text")} href={`/console/editor?new&venue=${id}`} />
      ) : (
        <HallForm key={kind} venue={id} kind={kind} />
      )}
    </>
  );
}

function HallForm({ venue, kind }: { venue: string; kind: TypedKind }) {
  const { t } = useTranslation("programme");
  const tell = useToast();
  const [, go] = useLocation();
  const [name, setName] = useState("");
  const [isTried, setTried] = useState(false);
  const room = useRoomDraft(kind, {
    rows: {
      rows: "12",
      seats: "16",
      front: "4",
      first: t("hall.first_usual"),
      second: t("hall.second_usual"),
      stage: { label: t("hall.stage") },
    },
    areas: [{ name: t("hall.area_usual"), capacity: "200" }],
  });
  const { busy, error, save, renew } = useSave(PROGRAMME);
  const isUnnamed = name.trim() === "";
  const submit = () => {
    setTried(true);
    if (room.plan === null || isUnnamed) return;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the engine adds the defaults
    const body = { venue, name: name.trim(), plan: room.plan as FullPlan };
    void save(
      (key) => api.POST("/v1/programme/halls", { body, key }),
      () => {
        tell(t("hall.made"));
        go(`/console/programme/venues/${venue}`, { replace: true });
      },
    );
  };
  return (
    <FormPanel
      title={t(`hall.kinds.${kind}`)}
      verb={t("hall.make")}
      busy={busy}
      refused={<Refused error={error} />}
      onSubmit={submit}
    >
      <Field
        label={t("hall.name")}
        hint={t("hall.name_hint")}
        value={name}
        maxLength={200}
        dir="auto"
        error={isTried && isUnnamed ? t("hall.wrong.name") : null}
        onChange={({ target }) => {
          renew();
          setName(target.value);
        }}
      />
      <RoomFields room={room} onType={renew} />
      <RoomPreview room={room} />
    </FormPanel>
  );
}
