// The blocks of a show, which can be lifted.
import { useTranslation } from "react-i18next";
import type { Block } from "~/api/schema";
import { Loaded } from "~/design";
import { comma, number } from "~/i18n/format";
import { Panel, When } from "../parts";
import { useBlocks } from "./blocks";
import { Unblock } from "./Unblock";

const UNITS_SHOWN = 8;

export function Blocks({ resource }: { resource: string }) {
  const { t } = useTranslation("console");
  const blocks = useBlocks(resource);
  return (
    <Panel title={t("blocks.title")}>
      <Loaded of={blocks} height="3rem">
        {(data) =>
          data.length === 0 ? (
            <p className="console-quiet">{t("blocks.none")}</p>
          ) : (
            <ul role="list" className="console-blocks">
              {data.map((block) => (
                <li key={block.id}>
                  <div>
                    <strong>{block.reason}</strong>
                    <p className="console-quiet">
                      {unitsOf(block)} · <When at={block.created_at} />
                    </p>
                  </div>
                  <Unblock size="small" resource={resource} parts={[{ block }]} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}

function unitsOf(block: Block): string {
  const names = block.lines.map((line) =>
    [line.quantity && number(line.quantity), line.unit, line.from && `${line.from} – ${line.to}`]
      .filter(Boolean)
      .join(" "),
  );
  const shown = names.slice(0, UNITS_SHOWN).join(comma());
  return names.length > UNITS_SHOWN ? `${shown} + ${number(names.length - UNITS_SHOWN)}` : shown;
}
