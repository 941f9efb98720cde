// That this browser may scan tickets without asking the server, until the session would have ended. It
// opens nothing at the server: only this page looks at it, when nobody answers.
import { readStored } from "~/api/stored";

export type OfflineRight = {
  readonly until: string;
  /** Whether the scanner is all that the session may see of the console. */
  readonly isAlone: boolean;
};

const KEPT_AS = "bespeak.console.offline";

export function keepOfflineRight(right: OfflineRight): void {
  try {
    localStorage.setItem(KEPT_AS, JSON.stringify(right));
  } catch {
    // The storage is full or closed to us: the page must stay open.
  }
}

export function dropOfflineRight(): void {
  localStorage.removeItem(KEPT_AS);
}

/** The right, while it lasts. */
export function offlineRight(): OfflineRight | null {
  const { until, isAlone } = readStored(localStorage, KEPT_AS) ?? {};
  if (typeof until !== "string" || !(Date.parse(until) > Date.now())) return null;
  return { until, isAlone: isAlone === true };
}
