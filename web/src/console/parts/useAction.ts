// An action that a button starts without a question first: busy while it runs, then a short message.
import { useState } from "react";
import { useProblemWords } from "~/design/Feedback";
import { useToast } from "~/design/Toasts";

/** `run(call, done)` makes the call and says `done`, or what was refused. */
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
