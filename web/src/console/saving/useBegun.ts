// What is typed into a form, and what the form began with: only what differs from that is sent, so that nothing
// of others is taken back.
import { useState } from "react";
import { typedSince } from "./changes";

export function useBegun<Of, Draft extends object>(of: Of, begin: () => Draft) {
  const [began, setBegan] = useState(of);
  const [draft, setDraft] = useState(begin);
  return {
    began,
    draft,
    change: (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part })),
    /** With what was saved of this draft. It has what others saved too, which the form would else take back the
     * next time; what was typed meanwhile stays. */
    beginAnew: (saved: Of, next: Draft) => {
      setBegan(saved);
      setDraft((typed) => typedSince(draft, typed, next));
    },
  };
}
