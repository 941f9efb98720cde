// What is typed into a form, and what of it is wrong: that is said once one has tried to save. The form
// begins anew with another number of its edition: by another key it would lose the focus of who has just saved.
import { type ReactNode, useState } from "react";

/** What a form is given by the page that saves it. */
export type DraftForm<Draft> = {
  begin: Draft;
  edition?: number;
  busy: boolean;
  /** Why it was not saved. */
  refused: ReactNode;
  /** What is sent was changed. */
  onChange?: () => void;
  onSubmit: (draft: Draft) => void;
};

type Given = { edition?: number | undefined; onChange?: (() => void) | undefined };

export function useDraft<Draft extends object>(
  begin: Draft,
  faultsOf: (draft: Draft) => string[],
  { edition = 0, onChange }: Given = {},
) {
  const fresh = { draft: begin, isTried: false, edition };
  const [held, setHeld] = useState(fresh);
  const shown = held.edition === edition ? held : fresh;
  if (shown !== held) setHeld(shown);
  const { draft } = shown;
  const all = faultsOf(draft);
  return {
    draft,
    faults: shown.isTried ? all : [],
    change: (part: Partial<Draft>) => {
      onChange?.();
      setHeld((before) => ({ ...before, draft: { ...before.draft, ...part } }));
    },
    /** Whether it can be sent; if not, what is wrong is said from now on. */
    attempt: () => {
      setHeld((before) => ({ ...before, isTried: true }));
      return all.length === 0;
    },
  };
}
