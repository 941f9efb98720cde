// The blocks of a show, which can be lifted.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { answered } from "~/api/client";
import type { Block } from "~/api/schema";
import { Button } from "~/design/Button";
import { Loaded } from "~/design/Loaded";
import { useToast } from "~/design/Toasts";
import { number } from "~/i18n/format";
import { Act } from "../parts/Act";
import { Panel } from "../parts/PageHead";
import { When } from "../parts/When";
import { api } from "../session";
import { useBlocks } from "./blocks";

const UNITS_SHOWN = 8;

export function Blocks({ resource }: { resource: string }) {
  const { t } = useTranslation("console");
  const [lifting, lift] = useState<Block | null>(null);
  const blocks = useBlocks(resource);
  return (
    <Panel title={t("blocks.title")}>
      <Loaded of={blocks} height="3rem">
        {(data) =>
          data.items.length === 0 ? (
            <p className="console-quiet">{t("blocks.none")}</p>
          ) : (
            <ul role="list" className="console-blocks">
              {data.items.map((block) => (
                <li key={block.id}>
                  <div>
                    <strong>{block.reason}</strong>
                    <p className="console-quiet">
                      {unitsOf(block)} · <When at={block.created_at} />
                    </p>
                  </div>
                  <Button kind="quiet" size="small" onClick={() => lift(block)}>
                    {t("blocks.lift")}
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <LiftDialog block={lifting} onClose={() => lift(null)} />
    </Panel>
  );
}

function unitsOf(block: Block): string {
  const names = block.lines.map((line) =>
    [line.quantity && number(line.quantity), line.unit, line.from && `${line.from} – ${line.to}`]
      .filter(Boolean)
      .join(" "),
  );
  const shown = names.slice(0, UNITS_SHOWN).join(", ");
  return names.length > UNITS_SHOWN ? `${shown} + ${number(names.length - UNITS_SHOWN)}` : shown;
}

function LiftDialog({ block, onClose }: { block: Block | null; onClose: () => void }) {
  const { t } = useTranslation("console");
  const queries = useQueryClient();
  const tell = useToast();
  const count = block?.lines.length ?? 0;
  const lift = async (key: string) => {
    if (block === null) return;
    const path = { resource_id: block.resource_id, block_id: block.id };
    await answered(
      api.DELETE("/v1/resources/{resource_id}/blocks/{block_id}", {
        params: { path, header: { "Idempotency-Key": key } },
      }),
    );
    tell(t("blocks.lifted", { count, shown: number(count) }));
    await queries.invalidateQueries({ queryKey: ["show", block.resource_id] });
  };
  return (
    <Act
      open={block !== null}
      title={t("blocks.lift_title", { count, shown: number(count) })}
      verb={t("blocks.lift")}
      onClose={onClose}
      act={lift}
    >
      <p>{t("blocks.lift_text", { reason: block?.reason ?? "" })}</p>
    </Act>
  );
}
