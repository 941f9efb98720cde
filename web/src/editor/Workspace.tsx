// The workspace: the document's state, the keys, the draft, and all parts of the editor around it.
import {
  useCallback,
  useEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
  type DragEvent,
} from "react";
import { useTranslation } from "react-i18next";
import { Button } from "~/design/Button";
import { useToast } from "~/design/Toasts";
import type { SeatsPlan } from "~/seatmap/plan";
import { Canvas } from "./canvas/Canvas";
import { commandFor, commandOf, isOn } from "./commands";
import { EditorContext, type DialogName, type Editor, type View } from "./context";
import { Leaving } from "./dialogs/Leaving";
import { NewRoomDialog } from "./dialogs/NewRoom";
import { OpeningDialog } from "./dialogs/Opening";
import { Palette } from "./dialogs/Palette";
import { Preview } from "./dialogs/Preview";
import { SaveDialog } from "./dialogs/Save";
import { Shortcuts } from "./dialogs/Shortcuts";
import { move } from "./document/moving";
import { dropDraft, keepDraft } from "./draft";
import { download, fileName, fileOf, readFile, type FileReading } from "./files";
import { Header } from "./Header";
import { ToolIcon } from "./Icon";
import { Side } from "./panels/Side";
import { initialState, isDirty, reduce, type Source } from "./state";
import { ToolOptions, Toolbar } from "./Toolbar";

type Props = {
  beginning: {
    readonly plan: SeatsPlan;
    readonly source: Source | null;
    readonly title: string;
    readonly saved?: SeatsPlan;
  };
  asksKind: boolean;
  /** The document is another resource's now, or none's. */
  onAddress: (id: string | null) => void;
};

export function Workspace({ beginning, asksKind, onAddress }: Props) {
  const { t } = useTranslation("editor");
  const toast = useToast();
  const [state, dispatch] = useReducer(reduce, beginning, (from) =>
    reduce(initialState(from.plan), { is: "open", ...from }),
  );
  const [dialog, setDialog] = useState<DialogName>(asksKind ? "new" : null);
  const [said, setSaid] = useState("");
  const [refused, setRefused] = useState<FileReading | null>(null);
  const [isSideOpen, setSideOpen] = useState(false);
  const view = useRef<View | null>(null);
  const side = useRef<HTMLElement>(null);
  const { plan, selection } = state.history.present;
  const dirty = isDirty(state);

  const told = useCallback(
    (key: string, values?: Record<string, unknown>) => t(key, values ?? {}),
    [t],
  );
  const words = useMemo(
    () => ({
      section: t("word.section"),
      tables: t("word.tables"),
      area: t("word.area"),
      stage: t("new.word.stage"),
      screen: t("new.word.screen"),
      text: t("word.text"),
    }),
    [t],
  );
  const focusInspector = useCallback(() => {
    setSideOpen(true);
    // The panel of what was just selected is drawn first.
    requestAnimationFrame(() => {
      const input = side.current?.querySelector<HTMLInputElement>("#editor-inspector input");
      input?.focus();
      input?.select();
    });
  }, []);
  const editor: Editor = {
    state,
    plan,
    selection,
    words,
    dispatch,
    change: (label, change, tag) => {
      dispatch({ is: "do", label, change, ...(tag !== undefined && { tag }) });
      // What is typed is heard already.
      if (tag === undefined) setSaid(t(`did.${label}`));
    },
    select: (keys) => dispatch({ is: "select", keys }),
    say: setSaid,
    told,
    view,
    open: (name) => {
      setRefused(null);
      setDialog(name);
    },
    saveFile: (kind) => {
      const text = fileOf(plan, kind);
      if (text === null) return toast(t("file.csv_errors"));
      const type = kind === "json" ? "application/json" : "text/csv";
      download(text, fileName(state.source?.name ?? state.title, kind), type);
      setSaid(t(`did.export.${kind}`));
    },
    focusInspector,
  };

  useDraft(plan, state.source, state.title, dirty);
  const openPlan = (made: SeatsPlan, title: string) => {
    dispatch({ is: "open", plan: made, source: null, title, saved: EMPTY });
    onAddress(null);
  };
  const onSaved = (source: Source) => {
    toast(t("save.done", { name: source.name }));
    onAddress(source.id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || dialog !== null) return;
    const target = event.target instanceof Element ? event.target : null;
    const isMod = event.ctrlKey || event.metaKey;
    const isTyping = Boolean(target?.closest("input, select, textarea, dialog"));
    const command = commandFor(event);
    // In a field the field's own keys count, but for saving and the like.
    const isOurs =
      !isTyping ||
      (isMod &&
        ["save", "import", "export.json", "preview", "palette"].includes(command?.id ?? ""));
    if (isTyping && event.key === "Escape") {
      view.current?.focus();
      return;
    }
    if (!isOurs) return;
    if (event.key === "Enter" && target?.closest(".editor-canvas")) {
      if (!view.current?.finish()) enterOnCanvas(editor);
      event.preventDefault();
      return;
    }
    if (event.key.startsWith("Arrow") && !isMod && isFree(target)) {
      event.preventDefault();
      nudge(editor, event);
      return;
    }
    if (command === null || (event.key === "Escape" && target?.closest("dialog"))) return;
    event.preventDefault();
    if (isOn(command, editor)) command.run(editor);
  };
  useKeys(onKeyDown);
  const onDrop = async (event: DragEvent) => {
    const file = event.dataTransfer.files[0];
    if (!file) return;
    event.preventDefault();
    const made = await readFile(file);
    if ("plan" in made) openPlan(made.plan, made.title);
    else {
      setRefused(made);
      setDialog("file");
    }
  };
  const close = () => setDialog(null);
  return (
    <EditorContext value={editor}>
      <div
        className="editor"
        role="presentation"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => void onDrop(event)}
      >
        <Header />
        <main className="editor-main">
          <Toolbar />
          <div className="editor-stage">
            <Canvas />
            <ToolOptions />
            <ViewButtons />
            <Hint isEmpty={isBlank(plan)} />
          </div>
        </main>
        <aside
          ref={side}
          className="editor-side"
          data-open={isSideOpen || undefined}
          aria-label={t("side")}
        >
          <button
            type="button"
            className="editor-side-switch"
            aria-expanded={isSideOpen}
            onClick={() => setSideOpen(!isSideOpen)}
          >
            <ToolIcon name="panel" />
            {t("side")}
          </button>
          <Side />
        </aside>
        <div className="visually-hidden" role="status" aria-live="polite">
          {said}
        </div>
        <Palette open={dialog === "palette"} onClose={close} />
        <Shortcuts open={dialog === "shortcuts"} onClose={close} />
        <NewRoomDialog open={dialog === "new"} onClose={close} onMade={openPlan} />
        <OpeningDialog
          open={dialog === "file"}
          onClose={close}
          onRead={openPlan}
          refused={refused}
        />
        <SaveDialog open={dialog === "save"} onClose={close} onSaved={onSaved} />
        {dialog === "preview" && <Preview open onClose={close} />}
        <Leaving isDirty={dirty} onLeave={dropDraft} />
      </div>
    </EditorContext>
  );
}

const EMPTY: SeatsPlan = { type: "seats" };

const isBlank = (plan: SeatsPlan): boolean =>
  !plan.sections?.length && !plan.pools?.length && !plan.shapes?.length && !plan.stage;

/** Whether arrow keys are free to move what is selected: not in a tree, a list of tabs, a field. */
const isFree = (target: Element | null): boolean =>
  !target?.closest("[role=tree], [role=tablist], [role=listbox], input, select, textarea");

const NUDGE = 0.5;
const FINE = 0.1;

function nudge(editor: Editor, event: KeyboardEvent): void {
  const by = event.altKey ? FINE : event.shiftKey ? 1 : NUDGE;
  const steps: Record<string, readonly [number, number]> = {
    ArrowLeft: [-by, 0],
    ArrowRight: [by, 0],
    ArrowUp: [0, -by],
    ArrowDown: [0, by],
  };
  const step = steps[event.key];
  if (!step || editor.selection.length === 0) return;
  editor.change(
    "move",
    (plan, keys) => move(plan, keys, ...step),
    `nudge ${editor.selection.join()}`,
  );
}

/** Enter on the canvas: the tool in hand adds its thing in the middle; else the inspector. */
function enterOnCanvas(editor: Editor): void {
  const { tool } = editor.state;
  const adds = ["section", "table", "area", "stage", "text", "line", "polygon", "focus"];
  if (adds.includes(tool)) commandOf(`add.${tool}`).run(editor);
  else if (editor.selection.length > 0) editor.focusInspector();
}

/** Listens on the document, because a page has keys also while nothing in it has the focus. */
function useKeys(onKeyDown: (event: KeyboardEvent) => void): void {
  const latest = useRef(onKeyDown);
  useEffect(() => {
    latest.current = onKeyDown;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => latest.current(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

const DRAFT_MS = 400;

/** Keeps the document while it is not saved, a moment after each change; a saved one needs no draft. */
function useDraft(plan: SeatsPlan, source: Source | null, title: string, dirty: boolean): void {
  const { t } = useTranslation("editor");
  const toast = useToast();
  const hasWarned = useRef(false);
  const wasDirty = useRef(false);
  useEffect(() => {
    if (!dirty) {
      if (wasDirty.current) dropDraft();
      wasDirty.current = false;
      return;
    }
    wasDirty.current = true;
    const keep = () => {
      if (keepDraft({ plan, source, title, at: Date.now() }) || hasWarned.current) return;
      hasWarned.current = true;
      toast(t("draft.too_large"));
    };
    const timer = setTimeout(keep, DRAFT_MS);
    globalThis.addEventListener("pagehide", keep);
    return () => {
      clearTimeout(timer);
      globalThis.removeEventListener("pagehide", keep);
    };
  }, [plan, source, title, dirty, t, toast]);
}

function ViewButtons() {
  const { t } = useTranslation("editor");
  return (
    <EditorContext.Consumer>
      {(editor) => (
        <div className="editor-view" role="group" aria-label={t("view")}>
          {(["zoom.out", "zoom.in", "fit"] as const).map((id) => (
            <button
              key={id}
              type="button"
              className="editor-tool"
              aria-label={t(`command.${id}`)}
              onClick={() => editor && commandOf(id).run(editor)}
            >
              <ToolIcon name={commandOf(id).icon ?? "fit"} size={20} />
            </button>
          ))}
        </div>
      )}
    </EditorContext.Consumer>
  );
}

/** What to begin with in an empty room. */
function Hint({ isEmpty }: { isEmpty: boolean }) {
  const { t } = useTranslation("editor");
  return (
    <EditorContext.Consumer>
      {(editor) =>
        isEmpty && editor?.state.tool === "select" ? (
          <div className="editor-hint">
            <h2>{t("hint.title")}</h2>
            <p>{t("hint.text")}</p>
            <div className="editor-row">
              <Button size="small" onClick={() => commandOf("tool.section").run(editor)}>
                {t("hint.draw")}
              </Button>
              <Button kind="quiet" size="small" onClick={() => editor.open("new")}>
                {t("hint.kind")}
              </Button>
              <Button kind="quiet" size="small" onClick={() => editor.open("file")}>
                {t("hint.file")}
              </Button>
            </div>
          </div>
        ) : null
      }
    </EditorContext.Consumer>
  );
}
