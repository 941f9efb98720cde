// Which language a page is in, and its files of words. It is apart from the library that shows them, so
// that both are on their way at once.
import { regional } from "./region";

export const LOCALES = {
  en: { name: "English", direction: "ltr" },
  de: { name: "Deutsch", direction: "ltr" },
  ar: { name: "العربية", direction: "rtl" },
} as const;
export type LocaleName = keyof typeof LOCALES;
type Words = Record<string, unknown>;

const KEPT_AS = "bespeak.locale";
const catalogues = import.meta.glob<Words>("./locales/*/*.json", { import: "default" });

/** The first language: the stored one, or the first of the browser's that we have. */
export function preferredLocale(): LocaleName {
  for (const tag of [localStorage.getItem(KEPT_AS) ?? "", ...navigator.languages]) {
    const name = tag.split("-")[0] ?? "";
    if (isLocale(name)) return name;
  }
  return "en";
}

export function keepLocale(name: LocaleName): void {
  localStorage.setItem(KEPT_AS, name);
}

export function isLocale(name: string): name is LocaleName {
  return Object.hasOwn(LOCALES, name);
}

export function applyDirection(language: string): void {
  const name = isLocale(language) ? language : "en";
  // With the region, because the seat map takes its locale from here.
  document.documentElement.lang = regional(name);
  document.documentElement.dir = LOCALES[name].direction;
}

/** The words of a language under one name; none where there is no such file. */
export async function readWords(language: string, namespace: string): Promise<Words> {
  return (await catalogues[`./locales/${language}/${namespace}.json`]?.()) ?? {};
}

/** Has the words brought that the page will ask for. */
export function bringWords(namespaces: readonly string[]): void {
  for (const one of new Set([preferredLocale(), "en"])) {
    // Whoever needs them reads them again, and sees what went wrong.
    for (const name of ["design", ...namespaces]) readWords(one, name).catch(() => undefined);
  }
}
