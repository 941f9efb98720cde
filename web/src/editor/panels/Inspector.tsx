// The inspector: everything about what is selected, as names and numbers.
import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "~/design";
import { commandOf, isOn } from "../commands";
import { useEditor } from "../context";
import { setCategory } from "../document/categories";
import { itemOf, partOf, type Key, type Parts } from "../document/items";
import { CommandButton } from "../CommandButton";
import { kindOf, nameOf } from "../names";
import type { PanelProps } from "./binding";
import { CategoryChoice, Group } from "./fields";
import { PoolPanel } from "./PoolPanel";
import { FocusPanel, RoomPanel } from "./RoomPanel";
import { RowPanel } from "./RowPanel";
import { SectionPanel } from "./SectionPanel";
import { ShapePanel } from "./ShapePanel";
import { StagePanel } from "./StagePanel";
import { TablePanel } from "./TablePanel";

export function Inspector() {
  const { t, plan, selection } = useEditor();
  const [key, ...others] = selection;
  const isOne = key !== undefined && others.length === 0;
  const title = isOne
    ? nameOf(plan, key, t)
    : t(key === undefined ? "inspector.room" : "inspector.many", { count: selection.length });
  return (
    <div className="editor-inspector" id="editor-inspector">
      <header className="editor-inspected">
        <div>
          {isOne && <p className="editor-kind">{kindOf(plan, key, t)}</p>}
          <h2>{title}</h2>
        </div>
        {key !== undefined && (
          <div className="editor-inspected-acts">
            <CommandButton id="duplicate" />
            <CommandButton id="remove" />
          </div>
        )}
      </header>
      {key === undefined ? <RoomPanel /> : isOne ? <One key={key} of={key} /> : <Many />}
    </div>
  );
}

const PANELS: { readonly [K in keyof Parts]: ComponentType<PanelProps<K>> } = {
  section: SectionPanel,
  row: RowPanel,
  table: TablePanel,
  pool: PoolPanel,
  shape: ShapePanel,
  stage: StagePanel,
  focus: FocusPanel,
};

function One({ of }: { of: Key }) {
  const item = itemOf(of);
  return item && <PanelOf of={of} item={item} />;
}

function PanelOf<K extends keyof Parts>({ of, item }: Pick<PanelProps<K>, "of" | "item">) {
  const part = partOf(useEditor().plan, item);
  const Panel: ComponentType<PanelProps<K>> = PANELS[item.kind];
  return part && <Panel of={of} item={item} part={part} />;
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
