// The tools, and beside them what the tool in hand can be set to.
import { useTranslation } from "react-i18next";
import { useEditor } from "./context";
import { commandOf, TOOL_KEYS } from "./commands";
import { ToolIcon } from "./Icon";
import { Choice, NumberInput } from "./panels/fields";
import type { Tool } from "./state";

const GROUPS: readonly (readonly Tool[])[] = [
  ["select", "hand"],
  ["section", "table", "area", "stage"],
  ["text", "line", "polygon", "focus"],
  ["erase", "aisle", "wheelchair", "companion", "paint"],
];

export function Toolbar() {
  const { t } = useTranslation("editor");
  const editor = useEditor();
  return (
    <div
      className="editor-toolbar"
      role="toolbar"
      aria-label={t("tools")}
      aria-orientation="vertical"
    >
      {GROUPS.map((tools) => (
        <div key={tools[0]} className="editor-tools">
          {tools.map((tool) => (
            <button
              key={tool}
              type="button"
              className="editor-tool"
              aria-pressed={editor.state.tool === tool}
              aria-label={t(`tool.${tool}`)}
              aria-keyshortcuts={TOOL_KEYS[tool]}
              data-tip={`${t(`tool.${tool}`)}  ${TOOL_KEYS[tool]}`}
              onClick={() => commandOf(`tool.${tool}`).run(editor)}
            >
              <ToolIcon name={tool} />
            </button>
          ))}
        </div>
      ))}
    </div>
  );
}

/** What the tool in hand does, and its settings. */
export function ToolOptions() {
  const { t } = useTranslation("editor");
  const { plan, state, dispatch } = useEditor();
  const { tool, options } = state;
  if (tool === "select") return null;
  const names = (plan.categories ?? []).map((category) => category.name);
  return (
    <div className="editor-options">
      <p>
        <strong>{t(`tool.${tool}`)}</strong> {t(`help.${tool}`)}
      </p>
      {tool === "table" && (
        <>
          <Choice
            label={t("field.shape")}
            value={options.tableShape}
            options={["round", "rectangle"].map((value) => ({ value, label: t(`shape.${value}`) }))}
            onChange={(value) =>
              dispatch({
                is: "options",
                options: { tableShape: value === "rectangle" ? value : "round" },
              })
            }
          />
          <NumberInput
            label={t("field.seats")}
            value={options.tableSeats}
            isWhole
            min={1}
            max={100}
            onChange={(tableSeats) => dispatch({ is: "options", options: { tableSeats } })}
          />
        </>
      )}
      {tool === "area" && (
        <Choice
          label={t("field.shape")}
          value={options.areaForm}
          options={["rectangle", "polygon"].map((value) => ({ value, label: t(`shape.${value}`) }))}
          onChange={(value) =>
            dispatch({
              is: "options",
              options: { areaForm: value === "polygon" ? value : "rectangle" },
            })
          }
        />
      )}
      {tool === "stage" && (
        <Choice
          label={t("field.kind")}
          value={options.stageKind}
          options={["stage", "screen"].map((value) => ({ value, label: t(`stage.${value}`) }))}
          onChange={(value) =>
            dispatch({
              is: "options",
              options: { stageKind: value === "screen" ? value : "stage" },
            })
          }
        />
      )}
      {tool === "paint" && (
        <>
          <Choice
            label={t("field.category")}
            value={options.paintCategory ?? ""}
            options={[
              { value: "", label: t("category.choose") },
              ...names.map((value) => ({ value, label: value })),
            ]}
            onChange={(value) =>
              dispatch({ is: "options", options: { paintCategory: value || null } })
            }
          />
          <Choice
            label={t("paint.scope")}
            value={options.paintScope}
            options={["section", "row", "seat"].map((value) => ({
              value,
              label: t(`paint.${value}`),
            }))}
            onChange={(value) =>
              dispatch({
                is: "options",
                options: { paintScope: value === "section" || value === "seat" ? value : "row" },
              })
            }
          />
        </>
      )}
    </div>
  );
}
