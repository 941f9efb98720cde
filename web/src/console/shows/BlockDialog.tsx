// Blocks units, with a reason.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { BlockLine } from "~/api/schema";
import { Field } from "~/design";
import { Act } from "../parts";
import { api } from "../session";

type BlockProps = {
  open: boolean;
  resource: string;
  lines: readonly BlockLine[];
  count: number;
  onClose: () => void;
  onDone: () => void;
};

const REASONS = ["house", "broken", "production", "distance"] as const;

export function BlockDialog({ open, resource, lines, count, onClose, onDone }: BlockProps) {
  const { t } = useTranslation("console");
  const [reason, setReason] = useState("");
  const block = async (key: string) => {
    const made = await api.POST("/v1/resources/{resource_id}/blocks", {
      path: { resource_id: resource },
      key,
      body: { lines: [...lines], reason: reason.trim() },
    });
    setReason("");
    onDone();
    return t("block.done", { count: made.lines.length });
  };
  return (
    <Act
      open={open}
      title={t("block.title", { count })}
      verb={t("block.verb")}
      disabled={reason.trim() === ""}
      onClose={onClose}
      refetches={["show", resource]}
      act={block}
    >
      <p>{t("block.text")}</p>
      <Field
        label={t("block.reason")}
        value={reason}
        maxLength={500}
        required
        onChange={(event) => setReason(event.target.value)}
      />
      <div className="console-chips" role="group" aria-label={t("block.reasons")}>
        {REASONS.map((name) => (
          <button
            key={name}
            type="button"
            className="console-chip"
            onClick={() => setReason(t(`block.because.${name}`))}
          >
            {t(`block.because.${name}`)}
          </button>
        ))}
      </div>
    </Act>
  );
}
