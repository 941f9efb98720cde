// The fields of a dialog whose act needs a proof. Where it was refused for want of one, they are kept in
// this tab, and are there again after somebody has set one up on another page.
import { useState } from "react";
import { Problem } from "~/api/client";
import { useOwnSession } from "./session";
import { dropTyped, keepTyped, keptTyped, typist } from "./typed";

export function useTyped<Fields extends Record<string, string>>(form: string, begin: Fields) {
  const session = useOwnSession();
  const by = session === null ? "" : typist(session);
  const [typed, setTyped] = useState<Fields>(() => ({ ...begin, ...textsOf(form, by, begin) }));
  return {
    typed,
    type: (part: Partial<Fields>) => setTyped((before) => ({ ...before, ...part })),
    /** Does what was typed for: then the fields are as at first. */
    run: async <Done>(act: () => Promise<Done>): Promise<Done> => {
      try {
        const done = await act();
        dropTyped(form);
        setTyped(begin);
        return done;
      } catch (refused) {
        const isUnproved = refused instanceof Problem && refused.code === "step_up_required";
        if (isUnproved) keepTyped(form, by, typed);
        throw refused;
      }
    },
  };
}

function textsOf(form: string, by: string, begin: Record<string, string>) {
  const kept = Object.entries(keptTyped(form, by) ?? {});
  return Object.fromEntries(
    kept.filter(([name, text]) => name in begin && typeof text === "string"),
  );
}
