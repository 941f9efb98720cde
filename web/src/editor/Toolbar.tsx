// The tools, and beside them what the tool in hand can be set to.
import { useTranslation } from "react-i18next";
import { CommandButton } from "./CommandButton";
import { useEditor } from "./context";
import { Choice, NumberInput } from "./panels/fields";
import { TOOL_GROUPS, type Options } from "./state";

export function Toolbar() {
  const { t, state } = useEditor();
  return (
    <div
      className="editor-toolbar"
      role="toolbar"
      aria-label={t("tools")}
      aria-orientation="vertical"
    >
      {TOOL_GROUPS.map((tools) => (
        <div key={tools[0]} className="editor-tools">
          {tools.map((tool) => (
            <CommandButton
              key={tool}
              id={`tool.${tool}`}
              size={22}
              isPressed={state.tool === tool}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

export function ToolOptions() {
  const { t } = useTranslation("editor");
  const { tool } = useEditor().state;
  if (tool === "select") return null;
  return (
    <div className="editor-options">
      <p>
        <strong>{t(`command.tool.${tool}`)}</strong> {t(`help.${tool}`)}
      </p>
      {tool === "table" && <TableOptions />}
      {tool === "area" && (
        <Option label="field.shape" option="areaForm" of={["rectangle", "polygon"]} words="shape" />
      )}
      {tool === "stage" && (
        <Option label="field.kind" option="stageKind" of={["stage", "screen"]} words="stage" />
      )}
      {tool === "paint" && <PaintOptions />}
    </div>
  );
}

function useOptions() {
  const { state, dispatch } = useEditor();
  const put = (options: Partial<Options>) => dispatch({ is: "options", options });
  return { options: state.options, put };
}

type OptionProps<O extends keyof Options> = {
  label: string;
  option: O;
  of: readonly (Options[O] & string)[];
  words: string;
};

/** A setting that is one of several words. */
function Option<O extends keyof Options>({ label, option, of, words }: OptionProps<O>) {
  const { t } = useTranslation("editor");
  const { options, put } = useOptions();
  return (
    <Choice
      label={t(label)}
      value={String(options[option])}
      options={of.map((value) => ({ value, label: t(`${words}.${value}`) }))}
      onChange={(value) => put({ [option]: value })}
    />
  );
}

function TableOptions() {
  const { t } = useTranslation("editor");
  const { options, put } = useOptions();
  return (
    <>
      <Option label="field.shape" option="tableShape" of={["round", "rectangle"]} words="shape" />
      <NumberInput
        label={t("field.seats")}
        value={options.tableSeats}
        onChange={(tableSeats) => put({ tableSeats })}
        whole={[1, 100]}
      />
    </>
  );
}

function PaintOptions() {
  const { t } = useTranslation("editor");
  const { options, put } = useOptions();
  const names = (useEditor().plan.categories ?? []).map(({ name }) => ({
    value: name,
    label: name,
  }));
  return (
    <>
      <Choice
        label={t("field.category")}
        value={options.paintCategory ?? ""}
        options={[{ value: "", label: t("category.choose") }, ...names]}
        onChange={(value) => put({ paintCategory: value || null })}
      />
      <Option
        label="paint.scope"
        option="paintScope"
        of={["section", "row", "seat"]}
        words="paint"
      />
    </>
  );
}
