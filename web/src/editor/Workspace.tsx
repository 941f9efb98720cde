// The workspace: all parts of the editor around one document.
import type { DragEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button, useToast } from "~/design";
import type { SeatsPlan } from "~/seatmap/plan";
import { Canvas } from "./canvas/Canvas";
import { CommandButton } from "./CommandButton";
import { commandOf } from "./commands";
import { EditorContext, useEditor } from "./context";
import { LeaveDialog } from "./dialogs/LeaveDialog";
import { NewRoomDialog } from "./dialogs/NewRoomDialog";
import { OpenDialog } from "./dialogs/OpenDialog";
import { Palette } from "./dialogs/Palette";
import { Preview } from "./dialogs/Preview";
import { SaveDialog } from "./dialogs/SaveDialog";
import { Shortcuts } from "./dialogs/Shortcuts";
import { dropDraft } from "./draft";
import { readFile } from "./files";
import { Header } from "./Header";
import { ToolIcon } from "./Icon";
import { useKeys } from "./keyboard";
import { Side } from "./panels/Side";
import { EMPTY, isBlank, isDirty, type Beginning } from "./state";
import { ToolOptions, Toolbar } from "./Toolbar";
import { useWorkspace } from "./useWorkspace";

type Props = {
  beginning: Beginning;
  asksKind: boolean;
  /** The document is another resource's now, or none's. */
  onAddress: (id: string | null) => void;
};

export function Workspace({ beginning, asksKind, onAddress }: Props) {
  const { t } = useTranslation("editor");
  const toast = useToast();
  const { editor, dialog, refused, said, side } = useWorkspace(beginning, asksKind);
  useKeys(editor, dialog === null);
  const close = () => editor.open(null);
  const openPlan = (plan: SeatsPlan, title: string) => {
    editor.dispatch({ is: "open", plan, source: null, title, saved: EMPTY });
    onAddress(null);
  };
  const onDrop = async (event: DragEvent) => {
    const file = event.dataTransfer.files[0];
    if (!file) return;
    event.preventDefault();
    const made = await readFile(file);
    if ("plan" in made) openPlan(made.plan, made.title);
    else editor.open("file", made);
  };
  return (
    <EditorContext value={editor}>
      <div
        className="editor"
        role="presentation"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => void onDrop(event)}
      >
        <Header />
        <Stage />
        <Properties {...side} />
        <div className="visually-hidden" role="status" aria-live="polite">
          {said}
        </div>
        <Palette open={dialog === "palette"} onClose={close} />
        <Shortcuts open={dialog === "shortcuts"} onClose={close} />
        <NewRoomDialog open={dialog === "new"} onClose={close} onMade={openPlan} />
        <OpenDialog open={dialog === "file"} onClose={close} onRead={openPlan} refused={refused} />
        <SaveDialog
          open={dialog === "save"}
          onClose={close}
          onSaved={({ id, name }) => {
            toast(t("save.done", { name }));
            onAddress(id);
          }}
        />
        {dialog === "preview" && <Preview onClose={close} />}
        <LeaveDialog isDirty={isDirty(editor.state)} onLeave={dropDraft} />
      </div>
    </EditorContext>
  );
}

function Stage() {
  const { t, plan, state } = useEditor();
  return (
    <main className="editor-main">
      <Toolbar />
      <div className="editor-stage">
        <Canvas />
        <ToolOptions />
        <div className="editor-view" role="group" aria-label={t("view")}>
          <CommandButton id="zoom.out" />
          <CommandButton id="zoom.in" />
          <CommandButton id="fit" />
        </div>
        {isBlank(plan) && state.tool === "select" && <Hint />}
      </div>
    </main>
  );
}

/** What to begin with in an empty room. */
function Hint() {
  const { t } = useTranslation("editor");
  const editor = useEditor();
  return (
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
  );
}

type SideProps = Omit<ReturnType<typeof useWorkspace>["side"], "focusInspector">;

function Properties({ isOpen, setOpen, element }: SideProps) {
  const { t } = useTranslation("editor");
  return (
    <aside
      ref={element}
      className="editor-side"
      data-open={isOpen || undefined}
      aria-label={t("side")}
    >
      <button
        type="button"
        className="editor-side-switch"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <ToolIcon name="panel" />
        {t("side")}
      </button>
      <Side />
    </aside>
  );
}
