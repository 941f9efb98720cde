// Everything that the editor knows beside what is on the screen: the document with its history, the
// tool, what was copied, and which resource the document is the plan of.
import type { SeatsPlan } from "~/seatmap/plan";
import type { Clip } from "./document/copies";
import type { Edited } from "./document/edit";
import { begin, commit, redo, select, undo, type History } from "./document/history";
import { isThere, type Key } from "./document/items";

const PLACES = ["section", "table", "area", "stage"] as const;
const MARKS = ["text", "line", "polygon", "focus"] as const;
export const DRAWING_TOOLS = [...PLACES, ...MARKS] as const;
export const BRUSHES = ["erase", "aisle", "wheelchair", "companion", "paint"] as const;
/** The tools as they stand beside each other. */
export const TOOL_GROUPS = [["select", "hand"], PLACES, MARKS, BRUSHES] as const;
export const TOOLS = TOOL_GROUPS.flat();
export type Tool = (typeof TOOL_GROUPS)[number][number];

export type Options = {
  readonly tableShape: "round" | "rectangle";
  readonly tableSeats: number;
  readonly areaForm: "rectangle" | "polygon";
  readonly stageKind: "stage" | "screen";
  readonly paintScope: "section" | "row" | "seat";
  readonly paintCategory: string | null;
};

/** The resource that the document is the plan of; null while there is none. */
export type Source = {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly currency: string | null;
};

export type Beginning = {
  readonly plan: SeatsPlan;
  readonly source: Source | null;
  readonly title: string;
  /** What it counts as saved; absent: itself. */
  readonly saved?: SeatsPlan;
};

export const EMPTY: SeatsPlan = { type: "seats" };

export const isBlank = (plan: SeatsPlan): boolean =>
  !plan.sections?.length && !plan.pools?.length && !plan.shapes?.length && !plan.stage;

export type EditorState = {
  readonly history: History;
  readonly tool: Tool;
  readonly options: Options;
  readonly clip: Clip | null;
  readonly source: Source | null;
  /** What the document is called while it is no resource's: a file, a template. */
  readonly title: string;
  readonly saved: SeatsPlan;
  /** Counts the documents that were opened, so that the view may start anew. */
  readonly opened: number;
};

export type Change = (plan: SeatsPlan, selection: readonly Key[]) => SeatsPlan | Edited;

export type Action =
  | { readonly is: "do"; readonly label: string; readonly change: Change; readonly tag?: string }
  | { readonly is: "select"; readonly keys: readonly Key[] }
  | { readonly is: "undo" }
  | { readonly is: "redo" }
  | { readonly is: "tool"; readonly tool: Tool }
  | { readonly is: "options"; readonly options: Partial<Options> }
  | { readonly is: "copied"; readonly clip: Clip }
  | ({ readonly is: "open" } & Beginning)
  | { readonly is: "saved"; readonly plan: SeatsPlan; readonly source: Source }
  /** The document is kept as a hall, which is no resource. */
  | { readonly is: "kept"; readonly plan: SeatsPlan; readonly title: string };

export function initialState(plan: SeatsPlan): EditorState {
  return {
    history: begin(plan),
    tool: "select",
    options: {
      tableShape: "round",
      tableSeats: 8,
      areaForm: "rectangle",
      stageKind: "stage",
      paintScope: "row",
      paintCategory: null,
    },
    clip: null,
    source: null,
    title: "",
    saved: plan,
    opened: 0,
  };
}

export function reduce(state: EditorState, action: Action): EditorState {
  const { history } = state;
  const { plan, selection } = history.present;
  switch (action.is) {
    case "do": {
      const made = action.change(plan, selection);
      const step = "plan" in made ? made : { plan: made, selection };
      const kept = step.selection.filter((key) => isThere(step.plan, key));
      const full = { plan: step.plan, selection: kept, label: action.label };
      return { ...state, history: commit(history, full, action.tag ?? null) };
    }
    case "select": {
      const keys = [...new Set(action.keys)].filter((key) => isThere(plan, key));
      return { ...state, history: select(history, keys) };
    }
    case "undo":
      return { ...state, history: undo(history) };
    case "redo":
      return { ...state, history: redo(history) };
    case "tool":
      return { ...state, tool: action.tool };
    case "options":
      return { ...state, options: { ...state.options, ...action.options } };
    case "copied":
      return action.clip.keys.length === 0 ? state : { ...state, clip: action.clip };
    case "open":
      return {
        ...state,
        history: begin(action.plan),
        tool: "select",
        source: action.source,
        title: action.title,
        saved: action.saved ?? action.plan,
        opened: state.opened + 1,
      };
    case "saved":
      return { ...state, saved: action.plan, source: action.source, title: action.source.name };
    case "kept":
      return { ...state, saved: action.plan, title: state.source?.name ?? action.title };
  }
}

export const isDirty = (state: EditorState): boolean => state.history.present.plan !== state.saved;
