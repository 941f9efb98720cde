// The keys of the editor. It has them also while nothing in it has the focus.
import { useLayoutEffect, useRef } from "react";
import { commandFor, isOn } from "./commands";
import type { Editor } from "./context";
import { move } from "./document/moves";
import { addInView, isDrawing } from "./drawing";

const NUDGE = 0.5;
const FINE = 0.1;
/** The commands whose keys count also in a field, whose own keys count otherwise. */
const ALWAYS = ["save", "import", "export.json", "preview", "palette"];
/** What has arrow keys of its own. */
const WITH_ARROWS = "[role=tree], [role=tablist], [role=listbox], input, select, textarea";

/** Listens on the document while no dialog is open. */
export function useKeys(editor: Editor, isListening: boolean): void {
  const latest = useRef({ editor, isListening });
  // With what is seen: who sees it may press a key, and it is for what they see.
  useLayoutEffect(() => {
    latest.current = { editor, isListening };
  });
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!event.defaultPrevented && latest.current.isListening)
        onKeyDown(latest.current.editor, event);
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

function onKeyDown(editor: Editor, event: KeyboardEvent): void {
  const target = event.target instanceof Element ? event.target : null;
  const isMod = event.ctrlKey || event.metaKey;
  const command = commandFor(event);
  if (target?.closest("input, select, textarea, dialog")) {
    if (event.key === "Escape") return editor.view.current?.focus();
    if (!isMod || !ALWAYS.includes(command?.id ?? "")) return;
  }
  if (event.key === "Enter" && target?.closest(".editor-canvas")) {
    event.preventDefault();
    if (!editor.view.current?.finish()) enterOnCanvas(editor);
  } else if (event.key.startsWith("Arrow") && !isMod && !target?.closest(WITH_ARROWS)) {
    event.preventDefault();
    nudge(editor, event);
  } else if (command !== null) {
    event.preventDefault();
    if (isOn(command, editor)) command.run(editor);
  }
}

function nudge({ change, selection }: Editor, event: KeyboardEvent): void {
  const by = event.altKey ? FINE : event.shiftKey ? 1 : NUDGE;
  const steps: Record<string, readonly [number, number]> = {
    ArrowLeft: [-by, 0],
    ArrowRight: [by, 0],
    ArrowUp: [0, -by],
    ArrowDown: [0, by],
  };
  const step = steps[event.key];
  if (!step || selection.length === 0) return;
  change("move", (plan, keys) => move(plan, keys, ...step), `nudge ${selection.join()}`);
}

/** Enter on the canvas: the tool in hand adds its thing in the middle; else the inspector. */
function enterOnCanvas(editor: Editor): void {
  const { tool } = editor.state;
  if (isDrawing(tool)) addInView(editor, tool);
  else if (editor.selection.length > 0) editor.focusInspector();
}
