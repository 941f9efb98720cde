// Blocks a time of a provider, or of everybody, with a reason: a break, a course, a repair.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Team } from "~/api/schema";
import { Field, Select } from "~/design";
import { Act } from "../parts";
import { api } from "../session";
import { type BlockDraft, blockLine } from "./blockDraft";
import { agendaKey } from "./calls";

const REASON_MAX = 500;

type Props = { team: Team; date: string; onClose: () => void };

export function BlockTime({ team, date, onClose }: Props) {
  const { t } = useTranslation("appointments");
  const [draft, setDraft] = useState<BlockDraft>({
    provider: team.providers.length === 1 ? (team.providers[0]?.name ?? "") : "",
    date,
    from: "12:00",
    to: "13:00",
    reason: "",
  });
  const line = blockLine(draft);
  const text = (name: Exclude<keyof BlockDraft, "provider">) => ({
    label: t(`block.${name}`),
    value: draft[name],
    onChange: ({ target }: { target: { value: string } }) =>
      setDraft((before) => ({ ...before, [name]: target.value })),
  });
  const block = async (key: string) => {
    if (line === null) return;
    await api.POST("/v1/resources/{resource_id}/blocks", {
      path: { resource_id: team.id },
      key,
      body: { lines: [line], reason: draft.reason.trim() },
    });
    return t("block.done");
  };
  return (
    <Act
      open
      title={t("block.title")}
      verb={t("block.verb")}
      disabled={line === null || draft.reason.trim() === ""}
      onClose={onClose}
      refetches={agendaKey(team.id)}
      act={block}
    >
      <p>{t("block.text")}</p>
      <Select
        label={t("block.provider")}
        value={draft.provider}
        onChange={({ target }) => setDraft({ ...draft, provider: target.value })}
      >
        <option value="">{t("block.everybody")}</option>
        {team.providers.map(({ name, title }) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </Select>
      <Field {...text("date")} type="date" />
      <div className="programme-pair">
        <Field {...text("from")} type="time" />
        <Field {...text("to")} type="time" />
      </div>
      <Field {...text("reason")} maxLength={REASON_MAX} required />
    </Act>
  );
}
