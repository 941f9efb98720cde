// Runs an action from a button without a dialog: busy while it runs, then a toast.
import { useQueryClient, type QueryKey } from "@tanstack/react-query";
import { useState } from "react";
import { useProblemWords, useToast } from "~/design";

/** `run(call, done)` shows `done`, or the refusal; the queries of these keys are stale then. */
export function useAction(...refetches: readonly QueryKey[]) {
  const queries = useQueryClient();
  const tell = useToast();
  const words = useProblemWords();
  const [busy, setBusy] = useState(false);
  const run = (call: Promise<unknown>, done: string) => {
    setBusy(true);
    call
      .then(
        () => tell(done),
        (error: unknown) => tell(words(error)),
      )
      .finally(() => {
        setBusy(false);
        for (const queryKey of refetches) void queries.invalidateQueries({ queryKey });
      });
  };
  return { busy, run };
}
