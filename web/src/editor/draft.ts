// The draft that outlives a crash: the document as it is, kept in this browser until it is saved.
import { isRecord } from "~/api/client";
import type { SeatsPlan } from "~/seatmap/plan";
import { readDocument } from "./format/strict";
import type { Source } from "./state";

const KEPT_AS = "bespeak.editor.draft";

export type Draft = {
  readonly plan: SeatsPlan;
  readonly source: Source | null;
  readonly title: string;
  /** When it was kept, in ms since 1970. */
  readonly at: number;
};

/** Keeps a draft; whether there was room for it. */
export function keepDraft(draft: Draft): boolean {
  try {
    localStorage.setItem(KEPT_AS, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

export function dropDraft(): void {
  localStorage.removeItem(KEPT_AS);
}

export function keptDraft(): Draft | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT_AS) ?? "null");
    if (!isRecord(kept)) return null;
    const { plan, source, title, at } = kept;
    const reading = readDocument(plan);
    if (!("plan" in reading) || typeof title !== "string" || typeof at !== "number") return null;
    return { plan: reading.plan, source: readSource(source), title, at };
  } catch {
    return null;
  }
}

function readSource(value: unknown): Source | null {
  if (!isRecord(value)) return null;
  const { id, name, version, currency } = value;
  if (typeof id !== "string" || typeof name !== "string" || typeof version !== "number")
    return null;
  return { id, name, version, currency: typeof currency === "string" ? currency : null };
}
