// Everything that can be done, in one table: buttons, keys and the palette all come from it.
import type { DialogName, Editor } from "./context";
import { copy, duplicate, paste, remove } from "./document/copies";
import { canRedo, canUndo } from "./document/history";
import { allKeys } from "./document/items";
import { align, distribute, turn, turnOf } from "./document/moves";
import type { IconName } from "./Icon";
import { addInView } from "./drawing";
import { DRAWING_TOOLS, TOOLS, type Tool } from "./state";

export type Command = {
  readonly id: string;
  readonly group: "file" | "edit" | "tools" | "add" | "arrange" | "view";
  /** As one reads it: Mod is Ctrl, on a Mac the command key. */
  readonly keys?: string;
  readonly icon?: IconName;
  readonly isOn?: (editor: Editor) => boolean;
  readonly run: (editor: Editor) => void;
};

const TOOL_KEYS: Readonly<Record<Tool, string>> = {
  select: "V",
  hand: "H",
  section: "S",
  table: "T",
  area: "A",
  stage: "G",
  text: "X",
  line: "L",
  polygon: "P",
  focus: "F",
  erase: "E",
  aisle: "I",
  wheelchair: "W",
  companion: "C",
  paint: "B",
};

/** Whether at least so many things are selected. */
const has =
  (count: number) =>
  ({ selection }: Editor) =>
    selection.length >= count;
const opens = (dialog: DialogName) => (editor: Editor) => editor.open(dialog);

function turnBy(degrees: number) {
  return (editor: Editor) =>
    editor.change("turn", (plan, keys) =>
      keys.reduce((made, key) => {
        const now = turnOf(made, key);
        return now === null ? made : turn(made, key, now + degrees);
      }, plan),
    );
}

/** Undo or redo, with words for those who cannot see the canvas. */
function step(is: "undo" | "redo") {
  return ({ state, say, t, dispatch }: Editor) => {
    const { present, future } = state.history;
    const label = is === "undo" ? present.label : (future[0]?.label ?? "");
    say(t(is === "undo" ? "said.undone" : "said.redone", { what: t(`did.${label}`) }));
    dispatch({ is });
  };
}

const copyAll = ({ dispatch, plan, selection }: Editor) =>
  dispatch({ is: "copied", clip: copy(plan, selection) });
const removeAll = ({ change }: Editor) => change("remove", remove);

function putIn({ state, change, words }: Editor): void {
  const { clip } = state;
  if (clip) change("paste", (plan) => paste(plan, clip, words, [1, 1]));
}

function selectNone({ view, state, dispatch, select }: Editor): void {
  if (view.current?.cancel()) return;
  if (state.tool === "select") select([]);
  else dispatch({ is: "tool", tool: "select" });
}

type Of = Omit<Command, "id" | "group" | "run">;
/** A row of the table. */
const row = (
  group: Command["group"],
  id: string,
  of: Of,
  run: (editor: Editor) => void,
): Command => ({ group, id, ...of, run });

const FILE: readonly Command[] = [
  row("file", "new", { icon: "new" }, opens("new")),
  row("file", "import", { icon: "import", keys: "Mod+O" }, opens("file")),
  row("file", "export.json", { icon: "export", keys: "Mod+E" }, (one) => one.saveFile("json")),
  row("file", "export.csv", { icon: "export" }, (editor) => editor.saveFile("csv")),
  row("file", "save", { icon: "save", keys: "Mod+S" }, opens("save")),
  row("file", "preview", { icon: "preview", keys: "Mod+P" }, opens("preview")),
];

const EDIT: readonly Command[] = [
  row(
    "edit",
    "undo",
    { icon: "undo", keys: "Mod+Z", isOn: ({ state }) => canUndo(state.history) },
    step("undo"),
  ),
  row(
    "edit",
    "redo",
    { icon: "redo", keys: "Mod+Shift+Z", isOn: ({ state }) => canRedo(state.history) },
    step("redo"),
  ),
  row("edit", "copy", { keys: "Mod+C", isOn: has(1) }, (editor) => {
    copyAll(editor);
    editor.say(editor.t("said.copied", { count: editor.selection.length }));
  }),
  row("edit", "cut", { keys: "Mod+X", isOn: has(1) }, (editor) => {
    copyAll(editor);
    removeAll(editor);
  }),
  row("edit", "paste", { keys: "Mod+V", isOn: ({ state }) => state.clip !== null }, putIn),
  row(
    "edit",
    "duplicate",
    { icon: "duplicate", keys: "Mod+D", isOn: has(1) },
    ({ change, words }) => change("duplicate", (plan, keys) => duplicate(plan, keys, words)),
  ),
  row("edit", "remove", { icon: "remove", keys: "Delete", isOn: has(1) }, removeAll),
  row("edit", "select_all", { keys: "Mod+A" }, ({ plan, select, say, t }) => {
    const keys = allKeys(plan);
    select(keys);
    say(t("said.selected", { count: keys.length }));
  }),
  row("edit", "select_none", { keys: "Escape" }, selectNone),
];

const ARRANGE: readonly Command[] = [
  row("arrange", "turn.right", { keys: "]", isOn: has(1) }, turnBy(15)),
  row("arrange", "turn.left", { keys: "[", isOn: has(1) }, turnBy(-15)),
  ...(["left", "center", "right", "top", "middle", "bottom"] as const).map((how) =>
    row("arrange", `align.${how}`, { isOn: has(2) }, ({ change }) =>
      change(`align.${how}`, (plan, keys) => align(plan, keys, how)),
    ),
  ),
  ...(["x", "y"] as const).map((axis) =>
    row("arrange", `distribute.${axis}`, { isOn: has(3) }, ({ change }) =>
      change("distribute", (plan, keys) => distribute(plan, keys, axis)),
    ),
  ),
];

const VIEW: readonly Command[] = [
  row("view", "fit", { icon: "fit", keys: "0" }, ({ view }) => view.current?.fit()),
  row("view", "zoom.in", { icon: "plus", keys: "+" }, ({ view }) => view.current?.zoom(1.25)),
  row("view", "zoom.out", { icon: "minus", keys: "-" }, ({ view }) => view.current?.zoom(0.8)),
  row("view", "palette", { icon: "search", keys: "Mod+K" }, opens("palette")),
  row("view", "shortcuts", { icon: "keyboard", keys: "?" }, opens("shortcuts")),
];

export const COMMANDS: readonly Command[] = [
  ...FILE,
  ...EDIT,
  ...TOOLS.map((tool) =>
    row("tools", `tool.${tool}`, { icon: tool, keys: TOOL_KEYS[tool] }, ({ dispatch }) =>
      dispatch({ is: "tool", tool }),
    ),
  ),
  ...DRAWING_TOOLS.map((tool) =>
    row("add", `add.${tool}`, { icon: tool }, (editor) => addInView(editor, tool)),
  ),
  ...ARRANGE,
  ...VIEW,
];

const byId = new Map(COMMANDS.map((command) => [command.id, command]));

export function commandOf(id: string): Command {
  const command = byId.get(id);
  if (command === undefined) throw new Error(`there is no command ${id}`);
  return command;
}

export const isOn = (command: Command, editor: Editor): boolean => command.isOn?.(editor) ?? true;

type Pressed = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">;

export function commandFor(event: Pressed): Command | null {
  if (event.altKey) return null;
  const mod = event.ctrlKey || event.metaKey;
  const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
  const name = key === "Backspace" ? "Delete" : key === "=" ? "+" : key;
  const isLetter = /^[A-Z]$/u.test(name);
  if (mod && name === "Y") return commandOf("redo");
  const wanted = `${mod ? "Mod+" : ""}${isLetter && event.shiftKey ? "Shift+" : ""}${name}`;
  return COMMANDS.find((command) => command.keys === wanted) ?? null;
}
