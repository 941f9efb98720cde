// The head of the editor: what is being edited, whether it is saved, and what can be done with all of it.
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Badge, Button, ThemeSwitch } from "~/design";
import { CommandButton } from "./CommandButton";
import { useEditor } from "./context";
import { sceneOf } from "./document/scene";
import { ToolIcon } from "./Icon";
import { isDirty } from "./state";

export function Header() {
  const { t } = useTranslation("editor");
  const editor = useEditor();
  const { state, plan } = editor;
  const { room } = sceneOf(plan);
  const pools = room.pools.reduce((sum, pool) => sum + pool.capacity, 0);
  const title = state.source?.name || state.title || t("untitled");
  return (
    <header className="editor-header">
      <Link href="/console/rooms" className="editor-back" aria-label={t("back")}>
        <ToolIcon name="back" />
      </Link>
      <div className="editor-title">
        <h1>{title}</h1>
        <p>
          <span className="tabular">{t("seats", { count: room.units.length })}</span>
          {pools > 0 && <span className="tabular"> · {t("standing", { count: pools })}</span>}
        </p>
      </div>
      {(isDirty(state) || state.source !== null) && (
        <Badge tone={isDirty(state) ? "warn" : "good"}>
          {isDirty(state) ? t("unsaved") : t("saved")}
        </Badge>
      )}
      <div className="editor-acts">
        <CommandButton id="undo" isTipBelow />
        <CommandButton id="redo" isTipBelow />
        <span className="editor-rule" />
        <CommandButton id="palette" isTipBelow />
        <CommandButton id="shortcuts" isTipBelow />
        <ThemeSwitch />
        <span className="editor-rule" />
        <CommandButton id="new" isTipBelow />
        <CommandButton id="import" isTipBelow />
        <CommandButton id="export.json" isTipBelow />
        <Button kind="quiet" size="small" onClick={() => editor.open("preview")}>
          <ToolIcon name="preview" size={18} />
          {t("command.preview")}
        </Button>
      </div>
      <Button size="small" onClick={() => editor.open("save")}>
        {t("command.save")}
      </Button>
    </header>
  );
}
