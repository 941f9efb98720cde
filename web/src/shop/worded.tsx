// Parts of a vertical's pages that come together with the words of one file, so that the first load has neither.
import i18next from "i18next";
import type { ComponentType } from "react";
import { preferredLocale, readWords } from "~/i18n/locale";
import { part, type Part } from "./part";

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

/** A part of the pages, which comes together with the words of some files. */
export function worded<Props extends object>(
  words: string | readonly string[],
  load: Load<Props>,
): Part<Props> {
  return part<Props>(async () => {
    const [found] = await Promise.all([load(), ...[words].flat().map(loadWords)]);
    return found;
  });
}

/** The page may be here before there is anything to show its words. */
async function loadWords(name: string): Promise<void> {
  if (!i18next.isInitialized) {
    await readWords(preferredLocale(), name);
    if (!i18next.isInitialized) await new Promise((done) => i18next.on("initialized", done));
  }
  await i18next.loadNamespaces(name);
}
