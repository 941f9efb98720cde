// Puts blocked units back on sale: whole blocks, or those of their units that are named.
import { useTranslation } from "react-i18next";
import type { Block } from "~/api/schema";
import { comma } from "~/i18n/format";
import { ActButton } from "../parts";
import { api } from "../session";

type UnblockProps = {
  resource: string;
  size?: "small" | "normal";
  /** Blocks with the units to lift of them; without units, all of a block. */
  parts: readonly { readonly block: Block; readonly units?: readonly string[] }[];
  onDone?: () => void;
};

export function Unblock({ resource, parts, onDone, size = "normal" }: UnblockProps) {
  const { t } = useTranslation("console");
  const count = parts.reduce((sum, { block, units }) => sum + (units ?? block.lines).length, 0);
  const lift = async (key: string) => {
    // Each block has its own key, so that a retry repeats only what is not done.
    for (const { block, units } of parts) {
      const path = { resource_id: resource, block_id: block.id };
      await api.DELETE("/v1/resources/{resource_id}/blocks/{block_id}", {
        path,
        key: `${key}-${block.id}`,
        ...(units && { body: { lines: units.map((unit) => ({ unit, quantity: null })) } }),
      });
    }
    onDone?.();
    return t("blocks.lifted", { count });
  };
  return (
    <ActButton
      size={size}
      title={t("blocks.lift_title", { count })}
      verb={parts.some(({ units }) => units) ? t("map.unblock", { count }) : t("blocks.lift")}
      disabled={parts.length === 0}
      refetches={["show", resource]}
      act={lift}
    >
      {parts.map(({ block, units }) => (
        <p key={block.id}>
          {units === undefined ? (
            t("blocks.lift_text", { reason: block.reason })
          ) : (
            <>
              <strong>{block.reason}</strong>{" "}
              <span className="console-quiet">{units.join(comma())}</span>
            </>
          )}
        </p>
      ))}
    </ActButton>
  );
}
