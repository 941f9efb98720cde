// Everything that can be done, in one table: buttons, keys and the palette all come from it.
import {
  addPool,
  addSection,
  addShape,
  addTable,
  rectangle,
  setFocus,
  setStage,
} from "./document/adding";
import { copy, duplicate, paste, remove } from "./document/copying";
import { canRedo, canUndo } from "./document/history";
import { allKeys } from "./document/items";
import { align, distribute, turn, turnOf, type Alignment } from "./document/moving";
import type { Editor } from "./context";
import type { IconName } from "./Icon";
import { TOOLS, type Tool } from "./state";

export type Command = {
  readonly id: string;
  readonly group: "file" | "edit" | "tools" | "add" | "arrange" | "view";
  /** As one reads it: Mod is Ctrl, on a Mac the command key. */
  readonly keys?: string;
  readonly icon?: IconName;
  readonly isOn?: (editor: Editor) => boolean;
  readonly run: (editor: Editor) => void;
};

export const TOOL_KEYS: Readonly<Record<Tool, string>> = {
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

const hasSelection = (editor: Editor) => editor.selection.length > 0;
const hasTwo = (editor: Editor) => editor.selection.length > 1;
const hasThree = (editor: Editor) => editor.selection.length > 2;

const tools = TOOLS.map((tool): Command => ({
  id: `tool.${tool}`,
  group: "tools",
  keys: TOOL_KEYS[tool],
  icon: tool,
  run: (editor) => editor.dispatch({ is: "tool", tool }),
}));

const alignments = (["left", "center", "right", "top", "middle", "bottom"] as const).map(
  (how: Alignment): Command => ({
    id: `align.${how}`,
    group: "arrange",
    isOn: hasTwo,
    run: (editor) => editor.change(`align.${how}`, (plan, keys) => align(plan, keys, how)),
  }),
);

/** Adds something in the middle of what is seen, and goes to its name. */
function adder(
  id: string,
  icon: IconName,
  change: (editor: Editor, x: number, y: number) => void,
): Command {
  return {
    id: `add.${id}`,
    group: "add",
    icon,
    run: (editor) => {
      const [x, y] = editor.view.current?.middle() ?? [0, 0];
      const whole = (value: number) => Math.round(value * 2) / 2;
      change(editor, whole(x), whole(y));
      editor.dispatch({ is: "tool", tool: "select" });
      editor.focusInspector();
    },
  };
}

function turnBy(degrees: number) {
  return (editor: Editor) =>
    editor.change("turn", (plan, keys) =>
      keys.reduce((made, key) => {
        const now = turnOf(made, key);
        return now === null ? made : turn(made, key, now + degrees);
      }, plan),
    );
}

const adders: readonly Command[] = [
  adder("section", "section", (editor, x, y) =>
    editor.change("add.section", (plan) => addSection(plan, editor.words, [x, y], 5, 10)),
  ),
  adder("table", "table", (editor, x, y) => {
    const { tableSeats, tableShape } = editor.state.options;
    editor.change("add.table", (plan) =>
      addTable(plan, editor.words, [x, y], tableSeats, tableShape),
    );
  }),
  adder("area", "area", (editor, x, y) =>
    editor.change("add.area", (plan) =>
      addPool(plan, editor.words, rectangle([x - 5, y - 3], [x + 5, y + 3])),
    ),
  ),
  adder("stage", "stage", (editor, x, y) => {
    const kind = editor.state.options.stageKind;
    const box = { x, y, width: 12, height: kind === "screen" ? 1 : 4 };
    editor.change("add.stage", (plan) => setStage(plan, editor.words, box, kind));
  }),
  adder("text", "text", (editor, x, y) =>
    editor.change("add.text", (plan) =>
      addShape(plan, { kind: "text", text: editor.words.text, x, y }),
    ),
  ),
  adder("line", "line", (editor, x, y) =>
    editor.change("add.line", (plan) =>
      addShape(plan, {
        kind: "line",
        points: [
          [x - 4, y],
          [x + 4, y],
        ],
        stroke: "#8d8798",
      }),
    ),
  ),
  adder("polygon", "polygon", (editor, x, y) =>
    editor.change("add.polygon", (plan) =>
      addShape(plan, {
        kind: "polygon",
        points: rectangle([x - 3, y - 2], [x + 3, y + 2]),
        fill: "#d8d2c8",
      }),
    ),
  ),
  adder("focus", "focus", (editor, x, y) =>
    editor.change("add.focus", (plan) => setFocus(plan, [x, y])),
  ),
];

export const COMMANDS: readonly Command[] = [
  { id: "new", group: "file", icon: "new", run: (editor) => editor.open("new") },
  {
    id: "import",
    group: "file",
    icon: "import",
    keys: "Mod+O",
    run: (editor) => editor.open("file"),
  },
  {
    id: "export.json",
    group: "file",
    icon: "export",
    keys: "Mod+E",
    run: (editor) => editor.saveFile("json"),
  },
  { id: "export.csv", group: "file", icon: "export", run: (editor) => editor.saveFile("csv") },
  { id: "save", group: "file", icon: "save", keys: "Mod+S", run: (editor) => editor.open("save") },
  {
    id: "preview",
    group: "file",
    icon: "preview",
    keys: "Mod+P",
    run: (editor) => editor.open("preview"),
  },
  {
    id: "undo",
    group: "edit",
    icon: "undo",
    keys: "Mod+Z",
    isOn: (editor) => canUndo(editor.state.history),
    run: (editor) => {
      editor.say(
        editor.told("said.undone", {
          what: editor.told(`did.${editor.state.history.present.label}`),
        }),
      );
      editor.dispatch({ is: "undo" });
    },
  },
  {
    id: "redo",
    group: "edit",
    icon: "redo",
    keys: "Mod+Shift+Z",
    isOn: (editor) => canRedo(editor.state.history),
    run: (editor) => {
      const label = editor.state.history.future[0]?.label ?? "";
      editor.say(editor.told("said.redone", { what: editor.told(`did.${label}`) }));
      editor.dispatch({ is: "redo" });
    },
  },
  {
    id: "copy",
    group: "edit",
    keys: "Mod+C",
    isOn: hasSelection,
    run: (editor) => {
      editor.dispatch({ is: "copied", clip: copy(editor.plan, editor.selection) });
      editor.say(editor.told("said.copied", { count: editor.selection.length }));
    },
  },
  {
    id: "cut",
    group: "edit",
    keys: "Mod+X",
    isOn: hasSelection,
    run: (editor) => {
      editor.dispatch({ is: "copied", clip: copy(editor.plan, editor.selection) });
      editor.change("remove", (plan, keys) => remove(plan, keys));
    },
  },
  {
    id: "paste",
    group: "edit",
    keys: "Mod+V",
    isOn: (editor) => editor.state.clip !== null,
    run: (editor) => {
      const { clip } = editor.state;
      if (clip) editor.change("paste", (plan) => paste(plan, clip, editor.words, [1, 1]));
    },
  },
  {
    id: "duplicate",
    group: "edit",
    icon: "duplicate",
    keys: "Mod+D",
    isOn: hasSelection,
    run: (editor) =>
      editor.change("duplicate", (plan, keys) => duplicate(plan, keys, editor.words)),
  },
  {
    id: "remove",
    group: "edit",
    icon: "remove",
    keys: "Delete",
    isOn: hasSelection,
    run: (editor) => editor.change("remove", (plan, keys) => remove(plan, keys)),
  },
  {
    id: "select_all",
    group: "edit",
    keys: "Mod+A",
    run: (editor) => {
      const keys = allKeys(editor.plan);
      editor.select(keys);
      editor.say(editor.told("said.selected", { count: keys.length }));
    },
  },
  {
    id: "select_none",
    group: "edit",
    keys: "Escape",
    run: (editor) => {
      if (editor.view.current?.cancel()) return;
      if (editor.state.tool !== "select") editor.dispatch({ is: "tool", tool: "select" });
      else editor.select([]);
    },
  },
  ...tools,
  ...adders,
  { id: "turn.right", group: "arrange", keys: "]", isOn: hasSelection, run: turnBy(15) },
  { id: "turn.left", group: "arrange", keys: "[", isOn: hasSelection, run: turnBy(-15) },
  ...alignments,
  {
    id: "distribute.x",
    group: "arrange",
    isOn: hasThree,
    run: (editor) => editor.change("distribute", (plan, keys) => distribute(plan, keys, "x")),
  },
  {
    id: "distribute.y",
    group: "arrange",
    isOn: hasThree,
    run: (editor) => editor.change("distribute", (plan, keys) => distribute(plan, keys, "y")),
  },
  { id: "fit", group: "view", icon: "fit", keys: "0", run: (editor) => editor.view.current?.fit() },
  {
    id: "zoom.in",
    group: "view",
    icon: "plus",
    keys: "+",
    run: (editor) => editor.view.current?.zoom(1.25),
  },
  {
    id: "zoom.out",
    group: "view",
    icon: "minus",
    keys: "-",
    run: (editor) => editor.view.current?.zoom(0.8),
  },
  {
    id: "palette",
    group: "view",
    icon: "search",
    keys: "Mod+K",
    run: (editor) => editor.open("palette"),
  },
  {
    id: "shortcuts",
    group: "view",
    icon: "keyboard",
    keys: "?",
    run: (editor) => editor.open("shortcuts"),
  },
];

const byId = new Map(COMMANDS.map((command) => [command.id, command]));

export function commandOf(id: string): Command {
  const command = byId.get(id);
  if (command === undefined) throw new Error(`there is no command ${id}`);
  return command;
}

/** Whether a command can be done now. */
export const isOn = (command: Command, editor: Editor): boolean => command.isOn?.(editor) ?? true;

type Pressed = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">;

/** The command of a key that was pressed. */
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
