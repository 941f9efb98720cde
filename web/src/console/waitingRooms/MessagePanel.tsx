// What all who wait read on their page.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { WaitingRoom } from "~/api/schema";
import { Button, TextArea } from "~/design";
import { Form, Panel, useAction } from "../parts";
import { MESSAGE_MAX } from "./roomDraft";
import { useChangeRoom } from "./useRoom";

export function MessagePanel({ room }: { room: WaitingRoom }) {
  const { t } = useTranslation("waiting_rooms");
  const change = useChangeRoom(room.id);
  const { busy, run } = useAction();
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? room.message ?? "";
  const say = (message: string | null) =>
    run(
      change({ message }).then(() => setTyped((now) => (now === typed ? null : now))),
      t(message === null ? "message.taken_back" : "message.said"),
    );
  return (
    <Panel title={t("message.title")} lead={t("message.lead")}>
      <Form
        className="programme-form"
        busy={busy}
        onSubmit={() => {
          if (text.trim() !== "") say(text.trim());
        }}
      >
        <TextArea
          label={t("message.label")}
          hint={t("message.hint")}
          value={text}
          rows={3}
          maxLength={MESSAGE_MAX}
          dir="auto"
          onChange={({ target }) => setTyped(target.value)}
        />
        <div className="console-actions">
          <Button
            type="submit"
            busy={busy}
            disabled={text.trim() === "" || text.trim() === room.message}
          >
            {t("message.say")}
          </Button>
          {room.message !== null && (
            <Button kind="quiet" busy={busy} onClick={() => say(null)}>
              {t("message.take_back")}
            </Button>
          )}
        </div>
      </Form>
    </Panel>
  );
}
