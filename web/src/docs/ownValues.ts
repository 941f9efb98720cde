// Ids that the reader puts in the place of those of the examples: for all calls, as long as the tab is
// open. Keys are not asked for: they stay in variables of the reader's shell.
import { useSyncExternalStore } from "react";
import { isRecord } from "~/api/record";
import type { OwnValues } from "./samples/request";

const KEPT_AS = "bespeak.docs.values";
const listeners = new Set<() => void>();
let kept: OwnValues | null = null;

export function useOwnValues(): OwnValues {
  return useSyncExternalStore(listen, read);
}

/** Puts a value in the place of another; an empty one takes it back. */
export function setOwnValue(instead: string, value: string): void {
  kept = { ...read(), [instead]: value.trim() };
  sessionStorage.setItem(KEPT_AS, JSON.stringify(kept));
  for (const told of listeners) told();
}

function listen(told: () => void): () => void {
  listeners.add(told);
  return () => listeners.delete(told);
}

function read(): OwnValues {
  kept ??= parse(sessionStorage.getItem(KEPT_AS));
  return kept;
}

function parse(text: string | null): OwnValues {
  try {
    const found: unknown = JSON.parse(text ?? "{}");
    if (!isRecord(found)) return {};
    return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, String(value)]));
  } catch {
    return {};
  }
}
