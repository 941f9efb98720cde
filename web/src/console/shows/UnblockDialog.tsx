// Unblocks seats that were chosen on the map, whichever blocks they are in.
import { useTranslation } from "react-i18next";
import { answered } from "~/api/client";
import { useToast } from "~/design/Toasts";
import { number } from "~/i18n/format";
import { Act } from "../parts/Act";
import { api } from "../session";
import { byBlock, useBlocks } from "./blocks";

type UnblockProps = {
  open: boolean;
  resource: string;
  units: readonly string[];
  onClose: () => void;
  onDone: () => void;
};

export function UnblockDialog({ open, resource, units, onClose, onDone }: UnblockProps) {
  const { t } = useTranslation("console");
  const tell = useToast();
  const blocks = useBlocks(resource);
  const parts = byBlock(blocks.data?.items ?? [], units);
  const facts = { count: units.length, shown: number(units.length) };
  const lift = async (key: string) => {
    // Each block has its own key, so that a retry repeats only what is not done.
    for (const part of parts) {
      const path = { resource_id: resource, block_id: part.block.id };
      await answered(
        api.DELETE("/v1/resources/{resource_id}/blocks/{block_id}", {
          params: { path, header: { "Idempotency-Key": `${key}-${part.block.id}` } },
          body: { lines: part.units.map((unit) => ({ unit, quantity: null })) },
        }),
      );
    }
    tell(t("blocks.lifted", facts));
    onDone();
  };
  return (
    <Act
      open={open}
      title={t("blocks.lift_title", facts)}
      verb={t("map.unblock", facts)}
      disabled={parts.length === 0}
      onClose={onClose}
      act={lift}
    >
      {parts.map(({ block, units: some }) => (
        <p key={block.id}>
          <strong>{block.reason}</strong> <span className="console-quiet">{some.join(", ")}</span>
        </p>
      ))}
    </Act>
  );
}
