// Opens, pauses, drains, ends a waiting room, and takes an opening back, each after a question.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { WaitingRoom } from "~/api/schema";
import { Field } from "~/design";
import { ActButton } from "../parts";
import { clockTime } from "../programme/clocks";
import { momentOf, ownZone } from "./roomDraft";
import { useChangeRoom } from "./useRoom";

type State = WaitingRoom["state"];
/** What can be done from a state, besides taking back the opening. */
const STEPS: Readonly<Record<State, readonly Step[]>> = {
  scheduled: ["open", "end"],
  open: ["pause", "end"],
  paused: ["go_on", "end"],
  ended: [],
};
const TO = { open: "open", pause: "paused", go_on: "open", end: "ended" } as const;
type Step = keyof typeof TO;

export function RoomActs({ room }: { room: WaitingRoom }) {
  const { t } = useTranslation("waiting_rooms");
  const change = useChangeRoom(room.id);
  return (
    <>
      {STEPS[room.state].map((step) => (
        <ActButton
          key={step}
          kind={step === "end" ? "danger" : step === "pause" ? "quiet" : "primary"}
          title={t(`acts.${step}_title`)}
          verb={t(`acts.${step}`)}
          dangerous={step === "end"}
          act={async () => {
            await change({ state: TO[step] });
            return t(`acts.${step}_done`);
          }}
        >
          <p>{t(`acts.${step}_text`)}</p>
        </ActButton>
      ))}
      {room.state !== "ended" && <Drain room={room} />}
      {(room.state === "open" || room.state === "paused") && room.let_in === 0 && (
        <TakeBack room={room} />
      )}
    </>
  );
}

/** Nobody more joins, or people do again. */
function Drain({ room }: { room: WaitingRoom }) {
  const { t } = useTranslation("waiting_rooms");
  const change = useChangeRoom(room.id);
  const act = room.draining ? "undrain" : "drain";
  return (
    <ActButton
      key={act}
      kind="quiet"
      title={t(`acts.${act}_title`)}
      verb={t(`acts.${act}`)}
      act={async () => {
        await change({ draining: !room.draining });
        return t(`acts.${act}_done`);
      }}
    >
      <p>{t(`acts.${act}_text`)}</p>
    </ActButton>
  );
}

const HOUR_MS = 3_600_000;

function TakeBack({ room }: { room: WaitingRoom }) {
  const { t } = useTranslation("waiting_rooms");
  const change = useChangeRoom(room.id);
  const [opens, setOpens] = useState(() => {
    const planned = Math.max(Date.parse(room.opens_at), Date.now() + HOUR_MS);
    return clockTime(new Date(planned).toISOString(), ownZone());
  });
  const moment = momentOf(opens);
  return (
    <ActButton
      title={t("acts.undo_title")}
      verb={t("acts.undo")}
      disabled={moment === null}
      act={async () => {
        if (moment === null) return undefined;
        await change({ state: "scheduled", opens_at: moment });
        return t("acts.undo_done");
      }}
    >
      <p>{t("acts.undo_text")}</p>
      <Field
        label={t("form.opens")}
        hint={t("form.clocks", { zone: ownZone() })}
        type="datetime-local"
        value={opens}
        onChange={({ target }) => setOpens(target.value)}
      />
    </ActButton>
  );
}
