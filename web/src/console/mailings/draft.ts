// What is written to all who booked, while it is typed: one text or more, each in a language of its own.
import type { MailingText } from "~/api/schema";
import type { LocaleName } from "~/i18n";

export type TextDraft = { language: LocaleName; subject: string; text: string };
export type Draft = readonly TextDraft[];
export type Words = { subject: string; text: string };

export const SUBJECT_MAX = 150;
export const TEXT_MAX = 4000;

/** The language that a further text would be in; null where there is one in each. */
export function freeLanguage(draft: Draft, all: readonly LocaleName[]): LocaleName | null {
  return all.find((one) => draft.every(({ language }) => language !== one)) ?? null;
}

export function withText(draft: Draft, place: number, change: Partial<TextDraft>): Draft {
  return draft.map((one, at) => (at === place ? { ...one, ...change } : one));
}

/** The texts as they are sent; null while something of them is missing. */
export function textsOf(draft: Draft): MailingText[] | null {
  const texts = draft.map(({ language, subject, text }) => ({
    language,
    subject: subject.trim(),
    text: text.trim(),
  }));
  return texts.every(({ subject, text }) => subject !== "" && text !== "") ? texts : null;
}
