// Asks the operator to prove again who they are, when a call was refused for want of it; the call is
// then repeated. One dialog serves all calls that wait.
import { useSyncExternalStore } from "react";
import type { Problem } from "~/api/client";

export type Way = "passkey" | "code" | "password";
export type Asked = { readonly ways: readonly Way[]; readonly end: (isProved: boolean) => void };

let asked: Asked | null = null;
let answer: Promise<boolean> | null = null;
const watchers = new Set<() => void>();

/** Whether the refused call may be repeated, because a proof was given. */
export async function askForProof(problem: Problem): Promise<boolean> {
  if (problem.code !== "step_up_required") return false;
  answer ??= new Promise((resolve) => {
    const end = (isProved: boolean) => {
      answer = null;
      become(null);
      resolve(isProved);
    };
    become({ ways: waysOf(problem.data["ways"]), end });
  });
  return answer;
}

/** What is asked now; null: nothing. */
export function useAsked(): Asked | null {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => asked,
  );
}

function become(next: Asked | null): void {
  asked = next;
  for (const watcher of watchers) watcher();
}

function waysOf(told: unknown): readonly Way[] {
  const known: readonly Way[] = ["passkey", "code", "password"];
  return Array.isArray(told) ? known.filter((way) => told.includes(way)) : [];
}
