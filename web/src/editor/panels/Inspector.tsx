// The inspector: everything about what is selected, as names and numbers.
import { useTranslation } from "react-i18next";
import { Button } from "~/design/Button";
import { commandOf, isOn } from "../commands";
import { useEditor } from "../context";
import { setCategory } from "../document/categories";
import { itemOf, type Key } from "../document/items";
import { ToolIcon } from "../Icon";
import { kindOf, nameOf } from "../names";
import { CategoryChoice, Group } from "./fields";
import {
  FocusPanel,
  PoolPanel,
  RoomPanel,
  ShapePanel,
  StagePanel,
  TablePanel,
} from "./OtherPanels";
import { RowPanel } from "./RowPanel";
import { SectionPanel } from "./SectionPanel";

export function Inspector() {
  const { t } = useTranslation("editor");
  const editor = useEditor();
  const { plan, selection } = editor;
  const key = selection[0];
  const isOne = selection.length === 1 && key !== undefined;
  const title = isOne
    ? nameOf(plan, key, editor.told)
    : t("inspector.many", { count: selection.length });
  return (
    <div className="editor-inspector" id="editor-inspector">
      <header className="editor-inspected">
        <div>
          {isOne && <p className="editor-kind">{kindOf(plan, key, editor.told)}</p>}
          <h2>{selection.length === 0 ? t("inspector.room") : title}</h2>
        </div>
        {selection.length > 0 && (
          <div className="editor-inspected-acts">
            {(["duplicate", "remove"] as const).map((id) => (
              <button
                key={id}
                type="button"
                className="editor-tool"
                aria-label={t(`command.${id}`)}
                data-tip={t(`command.${id}`)}
                onClick={() => commandOf(id).run(editor)}
              >
                <ToolIcon name={id} size={20} />
              </button>
            ))}
          </div>
        )}
      </header>
      {selection.length === 0 && <RoomPanel />}
      {isOne && <One key={key} item={key} />}
      {selection.length > 1 && <Many />}
    </div>
  );
}

function One({ item: key }: { item: Key }) {
  const item = itemOf(key);
  switch (item?.kind) {
    case "section":
      return <SectionPanel at={item.section} />;
    case "row":
      return <RowPanel section={item.section} at={item.row} />;
    case "table":
      return <TablePanel section={item.section} at={item.table} />;
    case "pool":
      return <PoolPanel at={item.pool} />;
    case "shape":
      return <ShapePanel at={item.shape} />;
    case "stage":
      return <StagePanel />;
    default:
      return <FocusPanel />;
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
  return (
    <>
      <Group>
        <CategoryChoice
          value={null}
          onChange={(category) => {
            if (category !== null)
              editor.change("category", (doc, keys) => setCategory(doc, keys, category));
          }}
        />
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
