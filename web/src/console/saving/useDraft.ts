// What is typed into a form, and what of it is wrong: that is said once one has tried to save. The form
// begins anew with another number of its edition: by another key it would lose the focus of who has just saved,
// and what they typed while it was saved.
import { type ReactNode, useState } from "react";
import { typedSince } from "./changes";

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

/** Of a form in which all that can be typed can be sent. */
export const noFaults = (): string[] => [];

type Given = {
  edition?: number | undefined;
  busy?: boolean;
  onChange?: (() => void) | undefined;
};

type Held<Draft> = {
  readonly draft: Draft;
  /** What is being saved. */
  readonly sent: Draft | null;
  readonly isTried: boolean;
  readonly edition: number;
};

export function useDraft<Draft extends object>(
  begin: Draft,
  faultsOf: (draft: Draft) => string[],
  { edition = 0, busy = false, onChange }: Given = {},
) {
  const [held, setHeld] = useState<Held<Draft>>(() => fresh(begin, edition));
  const shown = heldNow(held, begin, edition, busy);
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
      setHeld((before) => ({ ...before, isTried: true, sent: before.sent ?? before.draft }));
      return all.length === 0;
    },
  };
}

const fresh = <Draft>(draft: Draft, edition: number) => ({
  draft,
  sent: null,
  isTried: false,
  edition,
});

function heldNow<Draft extends object>(
  held: Held<Draft>,
  begin: Draft,
  edition: number,
  busy: boolean,
): Held<Draft> {
  if (held.edition !== edition)
    return fresh(held.sent === null ? begin : typedSince(held.sent, held.draft, begin), edition);
  return busy || held.sent === null ? held : { ...held, sent: null };
}
