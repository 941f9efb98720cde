// Changes how fast a waiting room lets people in, at any time.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { WaitingRoom } from "~/api/schema";
import { Button, ErrorNote, useToast } from "~/design";
import { Form, Panel } from "../parts";
import { typedSince } from "../saving/changes";
import { useSave } from "../saving/useSave";
import { speedChange, speedDraft, speedFaults, type SpeedDraft } from "./roomDraft";
import { SpeedFields } from "./SpeedFields";
import { useChangeRoom } from "./useRoom";

const STALE = ["pages", "/v1/waiting-rooms"] as const;
type Changed = { readonly draft: SpeedDraft; readonly version: number };

/** What was typed while that was saved; of nothing else, nothing. */
function changedSince(sent: Changed, now: Changed | null, room: WaitingRoom): Changed | null {
  if (now === null || now === sent) return null;
  return { draft: typedSince(sent.draft, now.draft, speedDraft(room)), version: room.version };
}

export function SpeedPanel({ room }: { room: WaitingRoom }) {
  const { t } = useTranslation("waiting_rooms");
  const tell = useToast();
  const change = useChangeRoom(room.id);
  // What is typed stays, while the room is looked at anew; it is for the version that it began with.
  const [changed, setChanged] = useState<Changed | null>(null);
  const { busy, error, save, forget } = useSave(STALE);
  const draft = changed?.draft ?? speedDraft(room);
  const body = speedChange(room, draft);
  return (
    <Panel title={t("speed.title")} lead={t("speed.lead")}>
      <Form
        className="programme-form"
        busy={busy}
        onSubmit={() => {
          if (body === null || changed === null) return;
          void save(
            () => change({ ...body, version: changed.version }),
            (saved) => {
              setChanged((now) => changedSince(changed, now, saved));
              tell(t("speed.done"));
            },
          );
        }}
      >
        <SpeedFields
          draft={draft}
          faults={speedFaults(draft)}
          onChange={(part) =>
            setChanged({ draft: { ...draft, ...part }, version: changed?.version ?? room.version })
          }
        />
        {error !== null && <ErrorNote error={error} />}
        <div className="console-actions">
          <Button type="submit" busy={busy} disabled={changed === null || body === null}>
            {t("speed.save")}
          </Button>
          {changed !== null && (
            <Button
              kind="bare"
              onClick={() => {
                setChanged(null);
                forget();
              }}
            >
              {t("speed.discard")}
            </Button>
          )}
        </div>
      </Form>
    </Panel>
  );
}
