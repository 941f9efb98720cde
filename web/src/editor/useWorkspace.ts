// The state of a workspace, and what its parts may do with it.
import { useEffect, useReducer, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Problem } from "~/api/client";
import { useProblemWords, useToast } from "~/design";
import type { SeatsPlan } from "~/seatmap/plan";
import type { DialogName, Editor, View } from "./context";
import type { Words } from "./document/additions";
import { isEmpty } from "~/seatmap/box";
import { boxOfItem } from "./document/bounds";
import { sceneOf } from "./document/scene";
import { dropDraft, keepDraft } from "./draft";
import { download, type Refusal } from "./files";
import { wordsOf } from "./names";
import { initialState, isDirty, reduce, type Beginning, type EditorState } from "./state";

function useWords(): Words {
  const { t } = useTranslation("editor");
  return wordsOf(["section", "tables", "area", "text", "stage", "screen"], (name) =>
    t(`word.${name}`),
  );
}

/** Downloads the document; what the engine refuses to write is told. */
function useDownload(say: (text: string) => void) {
  const { t } = useTranslation("editor");
  const toast = useToast();
  const words = useProblemWords();
  return async (plan: SeatsPlan, kind: "json" | "csv", title: string) => {
    try {
      await download(plan, kind, title);
      say(t(`did.export.${kind}`));
    } catch (error) {
      const isPlan = error instanceof Problem && error.code === "invalid_request";
      toast(isPlan ? t("file.csv_errors") : words(error));
    }
  };
}

export function useWorkspace(beginning: Beginning, asksKind: boolean) {
  const { t } = useTranslation("editor");
  const [state, dispatch] = useReducer(reduce, beginning, (from) =>
    reduce(initialState(from.plan), { is: "open", ...from }),
  );
  const [dialog, setDialog] = useState<DialogName>(asksKind ? "new" : null);
  const [refused, setRefused] = useState<Refusal | null>(null);
  const [said, say] = useState("");
  const side = useSide();
  const view = useRef<View | null>(null);
  const save = useDownload(say);
  const words = useWords();
  const { plan, selection } = state.history.present;
  useDraft(state);
  const select: Editor["select"] = (keys) => dispatch({ is: "select", keys });
  const open = (name: DialogName, why: Refusal | null = null) => {
    setRefused(why);
    setDialog(name);
  };
  const editor: Editor = {
    state,
    plan,
    selection,
    words,
    dispatch,
    change: (label, change, tag) => {
      dispatch({ is: "do", label, change, ...(tag !== undefined && { tag }) });
      // What is typed is heard already.
      if (tag === undefined) say(t(`did.${label}`));
    },
    select,
    toggle: (key) => {
      const others = selection.filter((other) => other !== key);
      select(others.length < selection.length ? others : [...selection, key]);
    },
    show: (key) => {
      select([key]);
      const box = boxOfItem(sceneOf(plan), key);
      if (!isEmpty(box)) view.current?.show(box);
    },
    say,
    t: (key, values) => t(key, { ...values }),
    view,
    open,
    saveFile: (kind) => void save(plan, kind, state.source?.name ?? state.title),
    focusInspector: side.focusInspector,
  };
  return { editor, dialog, refused, said, side };
}

/** The side with the inspector; on a phone it opens and shuts. */
function useSide() {
  const [isOpen, setOpen] = useState(false);
  const element = useRef<HTMLElement>(null);
  const [asked, ask] = useState(0);
  useEffect(() => {
    if (asked === 0) return;
    const input = element.current?.querySelector<HTMLInputElement>("#editor-inspector input");
    input?.focus();
    input?.select();
  }, [asked]);
  const focusInspector = () => {
    setOpen(true);
    // The focus comes with the panel of what was just selected, however long that takes to draw.
    ask((times) => times + 1);
  };
  return { isOpen, setOpen, element, focusInspector };
}

const DRAFT_MS = 400;

/** Keeps the document while it is not saved, a moment after each change; a saved one needs no draft. */
function useDraft(state: EditorState): void {
  const { t } = useTranslation("editor");
  const toast = useToast();
  const hasWarned = useRef(false);
  const wasDirty = useRef(false);
  const { source, title } = state;
  const { plan } = state.history.present;
  const dirty = isDirty(state);
  useEffect(() => {
    if (!dirty && wasDirty.current) dropDraft();
    wasDirty.current = dirty;
    if (!dirty) return;
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
