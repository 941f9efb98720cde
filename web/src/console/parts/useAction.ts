// Runs an action from a button without a dialog: busy while it runs, then a toast.
import { useState } from "react";
import { useProblemWords, useToast } from "~/design";

/** `run(call, done)` shows `done`, or the refusal. */
export function useAction(onSettled: () => void) {
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
        onSettled();
      });
  };
  return { busy, run };
}
