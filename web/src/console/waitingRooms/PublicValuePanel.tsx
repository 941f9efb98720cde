// What the draw is mixed with besides the secret seed, as long as it has not taken place.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { WaitingRoom } from "~/api/schema";
import { Button, Field } from "~/design";
import { Form, Panel, useAction } from "../parts";
import { useChangeRoom } from "./useRoom";

const VALUE_MAX = 500;

export function PublicValuePanel({ room }: { room: WaitingRoom }) {
  const { t } = useTranslation("waiting_rooms");
  const change = useChangeRoom(room.id);
  const { busy, run } = useAction();
  const [typed, setTyped] = useState<string | null>(null);
  const value = (typed ?? room.public_value ?? "").trim();
  const isNew = value !== "" && value !== room.public_value;
  const name = () =>
    run(
      change({ public_value: value }).then(() => setTyped((now) => (now === typed ? null : now))),
      t("public_value.done"),
    );
  return (
    <Panel title={t("public_value.title")} lead={t("public_value.lead")}>
      <Form
        className="programme-form"
        busy={busy}
        onSubmit={() => {
          if (isNew) name();
        }}
      >
        <Field
          label={t("public_value.label")}
          hint={t("public_value.hint")}
          value={typed ?? room.public_value ?? ""}
          maxLength={VALUE_MAX}
          dir="auto"
          autoComplete="off"
          onChange={({ target }) => setTyped(target.value)}
        />
        <div className="console-actions">
          <Button type="submit" busy={busy} disabled={!isNew}>
            {t("public_value.name")}
          </Button>
        </div>
      </Form>
    </Panel>
  );
}
