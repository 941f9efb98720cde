// What every part of the editor can do and ask: the state, and one function for each thing that
// changes it. A command says what it did, for those who cannot see the canvas.
import { createContext, useContext } from "react";
import type { SeatsPlan } from "~/seatmap/plan";
import type { Box } from "~/seatmap/room";
import type { Words } from "./document/additions";
import type { Key } from "./document/items";
import type { Refusal } from "./files";
import type { Action, Change, EditorState } from "./state";

export type View = {
  readonly middle: () => readonly [number, number];
  readonly fit: () => void;
  readonly zoom: (factor: number) => void;
  readonly show: (box: Box) => void;
  readonly focus: () => void;
  /** Ends or drops what is being drawn; whether there was something. */
  readonly finish: () => boolean;
  readonly cancel: () => boolean;
};

export type DialogName = "palette" | "new" | "save" | "preview" | "shortcuts" | "file" | null;

export type Editor = {
  readonly state: EditorState;
  readonly plan: SeatsPlan;
  readonly selection: readonly Key[];
  readonly words: Words;
  readonly dispatch: (action: Action) => void;
  /** Does a command on the document; `tag` puts it together with the one before it. */
  readonly change: (label: string, change: Change, tag?: string) => void;
  readonly select: (keys: readonly Key[]) => void;
  /** Takes a key into what is selected, or out of it. */
  readonly toggle: (key: Key) => void;
  /** Selects one thing and shows it, if it is not seen. */
  readonly show: (key: Key) => void;
  readonly say: (text: string) => void;
  readonly t: (key: string, values?: object) => string;
  readonly view: { current: View | null };
  /** Opens a dialog; `refused` says why a file that was dropped could not be read. */
  readonly open: (dialog: DialogName, refused?: Refusal) => void;
  readonly saveFile: (kind: "json" | "csv") => void;
  readonly focusInspector: () => void;
};

export const EditorContext = createContext<Editor | null>(null);

export function useEditor(): Editor {
  const editor = useContext(EditorContext);
  if (editor === null) throw new Error("there is no editor around this part");
  return editor;
}
