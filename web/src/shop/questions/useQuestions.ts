// The questions of a checkout as a form: what was typed, what is missing, and the answers to send.
import { useState } from "react";
import type { CheckoutAnswer, HoldView } from "~/api/schema";
import {
  answersOf,
  type AskedField,
  keepTyped,
  keptTyped,
  missingAnswers,
  type Typed,
} from "~/questions/asked";
import { type Asked, useAsked } from "./useAsked";

export type QuestionForm = Asked & {
  typed: Typed;
  missing: string[];
  /** Null where nothing is asked. */
  answers: CheckoutAnswer[] | null;
  onType: (key: string, text: string) => void;
  /** Whether all that is required is answered; else it is shown what is missing. */
  check: () => boolean;
};

export function useQuestions(hold: HoldView): QuestionForm {
  const asked = useAsked(hold.lines);
  const form = useTyped(asked.fields, () => keptTyped(hold.id));
  const onType = (key: string, text: string) => keepTyped(hold.id, form.onType(key, text));
  return { ...asked, ...form, onType };
}

type TypedForm = Pick<QuestionForm, "typed" | "missing" | "answers" | "check"> & {
  onType: (key: string, text: string) => Typed;
};

export function useTyped(fields: readonly AskedField[], begin: () => Typed): TypedForm {
  const [typed, setTyped] = useState(begin);
  const [isChecked, setChecked] = useState(false);
  const missing = missingAnswers(fields, typed);
  return {
    typed,
    missing: isChecked ? missing : [],
    answers: fields.length === 0 ? null : answersOf(fields, typed),
    onType: (key, text) => {
      const next = { ...typed, [key]: text };
      setTyped(next);
      return next;
    },
    check: () => {
      setChecked(true);
      return missing.length === 0;
    },
  };
}
