// The inspector: everything about what is selected, as names and numbers.
import { useTranslation } from "react-i18next";
import { Button } from "~/design/Button";
import { commandOf, isOn } from "../commands";
import { useEditor } from "../context";
import { setCategory } from "../document/categories";
import { itemOf, type Key } from "../document/items";
import { CommandButton } from "../CommandButton";
import { kindOf, nameOf } from "../names";
import { CategoryChoice, Group } from "./fields";
import { PoolPanel } from "./PoolPanel";
import { FocusPanel, RoomPanel } from "./RoomPanel";
import { RowPanel } from "./RowPanel";
import { SectionPanel } from "./SectionPanel";
import { ShapePanel } from "./ShapePanel";
import { StagePanel } from "./StagePanel";
import { TablePanel } from "./TablePanel";

export function Inspector() {
  const { t } = useTranslation("editor");
  const { plan, selection, told } = useEditor();
  const [key, ...others] = selection;
  const isOne = key !== undefined && others.length === 0;
  const title = isOne
    ? nameOf(plan, key, told)
    : t(key === undefined ? "inspector.room" : "inspector.many", { count: selection.length });
  return (
    <div className="editor-inspector" id="editor-inspector">
      <header className="editor-inspected">
        <div>
          {isOne && <p className="editor-kind">{kindOf(plan, key, told)}</p>}
          <h2>{title}</h2>
        </div>
        {key !== undefined && (
          <div className="editor-inspected-acts">
            <CommandButton id="duplicate" />
            <CommandButton id="remove" />
          </div>
        )}
      </header>
      {key === undefined ? <RoomPanel /> : isOne ? <One key={key} item={key} /> : <Many />}
    </div>
  );
}

function One({ item: key }: { item: Key }) {
  const { plan } = useEditor();
  const item = itemOf(key);
  switch (item?.kind) {
    case "section": {
      const section = plan.sections?.[item.section];
      return section && <SectionPanel at={item.section} section={section} />;
    }
    case "row": {
      const row = plan.sections?.[item.section]?.rows?.[item.row];
      return row && <RowPanel section={item.section} at={item.row} row={row} />;
    }
    case "table": {
      const table = plan.sections?.[item.section]?.tables?.[item.table];
      return table && <TablePanel section={item.section} at={item.table} table={table} />;
    }
    case "pool": {
      const pool = plan.pools?.[item.pool];
      return pool && <PoolPanel at={item.pool} pool={pool} />;
    }
    case "shape": {
      const shape = plan.shapes?.[item.shape];
      return shape && <ShapePanel at={item.shape} shape={shape} />;
    }
    case "stage":
      return plan.stage && <StagePanel stage={plan.stage} />;
    default:
      return plan.focus && <FocusPanel focus={plan.focus} />;
  }
}

const ARRANGING = [
  "align.left",
  "align.center",
  "align.right",
  "align.top",
  "align.middle",
  "align.bottom",
  "distribute.x",
  "distribute.y",
];

function Many() {
  const { t } = useTranslation("editor");
  const editor = useEditor();
  const paint = (category: string | null) => {
    if (category !== null)
      editor.change("category", (doc, keys) => setCategory(doc, keys, category));
  };
  return (
    <>
      <Group>
        <CategoryChoice value={null} onChange={paint} />
      </Group>
      <Group title={t("group.arrange")}>
        <div className="editor-arrange">
          {ARRANGING.map((id) => (
            <Button
              key={id}
              kind="quiet"
              size="small"
              disabled={!isOn(commandOf(id), editor)}
              onClick={() => commandOf(id).run(editor)}
            >
              {t(`command.${id}`)}
            </Button>
          ))}
        </div>
      </Group>
    </>
  );
}
