// The questions of a checkout as a form has them, what cannot be read of them, and what to send.
import type { CheckoutQuestion } from "~/api/schema";

export type QuestionDraft = {
  /** Names it in the form: a new one has no other name. */
  readonly key: string;
  /** Empty for a question that is new: it gets one when it is sent, and keeps it. */
  readonly id: string;
  readonly text: string;
  readonly kind: "text" | "choice";
  /** One a line. */
  readonly choices: string;
  readonly per: "booking" | "ticket";
  readonly isRequired: boolean;
};

export const QUESTIONS_MAX = 20;
export const TEXT_MAX = 300;
export const CHOICE_MAX = 100;
const CHOICES_MAX = 50;
const SLUG_MAX = 30;

export function newQuestion(drafts: readonly QuestionDraft[]): QuestionDraft {
  const keys = new Set(drafts.map(({ key }) => key));
  let number = drafts.length;
  while (keys.has(`+${number}`)) number++;
  return {
    key: `+${number}`,
    id: "",
    text: "",
    kind: "text",
    choices: "",
    per: "booking",
    isRequired: false,
  };
}

export function questionDrafts(questions: readonly CheckoutQuestion[]): QuestionDraft[] {
  return questions.map(({ id, text, choices, per, required }) => ({
    key: id,
    id,
    text,
    kind: choices?.length ? "choice" : "text",
    choices: (choices ?? []).join("\n"),
    per: per ?? "booking",
    isRequired: required ?? false,
  }));
}

/** The names of the fields that cannot be read: "0.text", "2.choices". */
export function questionFaults(drafts: readonly QuestionDraft[]): string[] {
  return drafts.flatMap((draft, at) => [
    ...(draft.text.trim() === "" ? [`${at}.text`] : []),
    ...(draft.kind === "choice" && !areChoices(choicesOf(draft)) ? [`${at}.choices`] : []),
  ]);
}

function areChoices(choices: readonly string[]): boolean {
  const isShort = choices.every((one) => one.length <= CHOICE_MAX);
  const isUnique = new Set(choices).size === choices.length;
  return choices.length > 0 && choices.length <= CHOICES_MAX && isShort && isUnique;
}

function choicesOf({ kind, choices }: QuestionDraft): string[] {
  if (kind === "text") return [];
  return choices
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

export function questionsOf(drafts: readonly QuestionDraft[]): CheckoutQuestion[] {
  const taken = new Set(drafts.map(({ id }) => id));
  return drafts.map((draft) => {
    const id = draft.id || freeId(draft.text, taken);
    taken.add(id);
    return {
      id,
      text: draft.text.trim(),
      choices: choicesOf(draft),
      per: draft.per,
      required: draft.isRequired,
    };
  });
}

/** All texts that buyers read, each with a name that stays while a question is typed anew. */
export function textsOf(drafts: readonly QuestionDraft[]): Record<string, string> {
  return Object.fromEntries(
    drafts.flatMap((draft) => [
      [`${draft.key} text`, draft.text.trim()] as const,
      ...choicesOf(draft).map((choice) => [`${draft.key} choice ${choice}`, choice] as const),
    ]),
  );
}

/** A name of letters that can be read in lists; where a text has none, a number. */
function freeId(text: string, taken: ReadonlySet<string>): string {
  const slug = text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^[^a-z]+|-+$/g, "")
    .slice(0, SLUG_MAX)
    .replace(/-+$/, "");
  const base = slug || "question";
  let id = base;
  for (let number = 2; taken.has(id); number++) id = `${base}-${number}`;
  return id;
}
