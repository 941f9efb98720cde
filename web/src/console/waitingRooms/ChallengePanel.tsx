// Whether whoever joins a waiting room solves a challenge first: chosen when it is made, and changed at any time.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { WaitingRoom } from "~/api/schema";
import { Button } from "~/design";
import { Form, Panel, RadioGroup, useAction } from "../parts";
import type { ChallengeRule } from "./roomDraft";
import { useChangeRoom } from "./useRoom";

const RULES: readonly ChallengeRule[] = ["never", "often", "always"];

type FieldProps = { value: ChallengeRule; onChange: (rule: ChallengeRule) => void };

export function ChallengeField({ value, onChange }: FieldProps) {
  const { t } = useTranslation("waiting_rooms");
  return (
    <>
      <RadioGroup
        label={t("challenge.label")}
        value={value}
        onChange={onChange}
        choices={RULES.map((rule) => ({
          value: rule,
          title: t(`challenge.${rule}`),
          text: t(`challenge.${rule}_text`),
        }))}
      />
      <p className="console-quiet">{t("challenge.codes")}</p>
    </>
  );
}

export function ChallengePanel({ room }: { room: WaitingRoom }) {
  const { t } = useTranslation("waiting_rooms");
  const change = useChangeRoom(room.id);
  const { busy, run } = useAction();
  const [chosen, setChosen] = useState<ChallengeRule | null>(null);
  const isNew = chosen !== null && chosen !== room.challenge;
  return (
    <Panel title={t("challenge.title")} lead={t("challenge.lead")}>
      <Form
        className="programme-form"
        busy={busy}
        onSubmit={() => {
          if (!isNew) return;
          run(
            change({ challenge: chosen }).then(() =>
              setChosen((now) => (now === chosen ? null : now)),
            ),
            t("challenge.done"),
          );
        }}
      >
        <ChallengeField value={chosen ?? room.challenge} onChange={setChosen} />
        <div className="console-actions">
          <Button type="submit" busy={busy} disabled={!isNew}>
            {t("challenge.save")}
          </Button>
        </div>
      </Form>
    </Panel>
  );
}
