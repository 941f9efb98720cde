// Undo and redo without limit. A step keeps the whole document and what was selected; documents share
// what they have in common, so a thousand steps cost little.
import type { SeatsPlan } from "~/seatmap/plan";
import type { Key } from "./items";

type Step = {
  readonly plan: SeatsPlan;
  readonly selection: readonly Key[];
  /** What led here, by the name of its words. */
  readonly label: string;
};

export type History = {
  readonly past: readonly Step[];
  readonly present: Step;
  readonly future: readonly Step[];
  /** Steps with the same tag, one after the other, become one: the letters of a name, a drag. */
  readonly tag: string | null;
};

export function begin(plan: SeatsPlan): History {
  const present = { plan, selection: [], label: "open" };
  return { past: [], present, future: [], tag: null };
}

/** The history after a command; nothing changes where the plan is the same. */
export function commit(history: History, step: Step, tag: string | null = null): History {
  if (step.plan === history.present.plan) return select(history, step.selection);
  const isSame = tag !== null && tag === history.tag;
  const past = isSame ? history.past : [...history.past, history.present];
  return { past, present: step, future: [], tag };
}

/** Another selection; it is no step of its own. */
export function select(history: History, selection: readonly Key[]): History {
  return { ...history, present: { ...history.present, selection }, tag: null };
}

export const canUndo = (history: History): boolean => history.past.length > 0;
export const canRedo = (history: History): boolean => history.future.length > 0;

export function undo(history: History): History {
  const before = history.past.at(-1);
  if (before === undefined) return history;
  const future = [history.present, ...history.future];
  return { past: history.past.slice(0, -1), present: before, future, tag: null };
}

export function redo(history: History): History {
  const [after, ...future] = history.future;
  if (after === undefined) return history;
  return { past: [...history.past, history.present], present: after, future, tag: null };
}
