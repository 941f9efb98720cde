import { useMemo, useSyncExternalStore } from "react";
import { keptPasses, storedPasses, watchPasses, type KeptPass } from "./passes";

/** The passes of this browser; whoever shows one notices its end. */
export function usePasses(): readonly KeptPass[] {
  const stored = useSyncExternalStore(watchPasses, storedPasses);
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- what is stored is what changes
  return useMemo(() => keptPasses(), [stored]);
}
