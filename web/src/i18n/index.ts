// Words in several languages. A page loads the catalogue of the language it speaks and of its own
// part only; numbers, dates and money are the browser's Intl.
import i18next, { type i18n } from "i18next";
import { initReactI18next } from "react-i18next";
import { regional } from "./region";

export const LOCALES = {
  en: { name: "English", direction: "ltr" },
  de: { name: "Deutsch", direction: "ltr" },
  ar: { name: "العربية", direction: "rtl" },
} as const;
export type LocaleName = keyof typeof LOCALES;

const KEPT_AS = "bespeak.locale";
const catalogues = import.meta.glob<Record<string, unknown>>("./locales/*/*.json", {
  import: "default",
});

/** The language to begin with: the one chosen before, or the first of the browser's that we have. */
export function preferredLocale(): LocaleName {
  for (const tag of [localStorage.getItem(KEPT_AS) ?? "", ...navigator.languages]) {
    const name = tag.split("-")[0] ?? "";
    if (isLocale(name)) return name;
  }
  return "en";
}

export function isLocale(name: string): name is LocaleName {
  return Object.hasOwn(LOCALES, name);
}

/** Starts with the catalogues of these namespaces, in the preferred language and in English. */
export async function startI18n(namespaces: readonly string[]): Promise<i18n> {
  await i18next
    .use({ type: "backend", read: readCatalogue })
    .use(initReactI18next)
    .init({
      lng: preferredLocale(),
      fallbackLng: "en",
      supportedLngs: Object.keys(LOCALES),
      ns: ["design", ...namespaces],
      defaultNS: namespaces[0] ?? "design",
      fallbackNS: "design",
      interpolation: { escapeValue: false }, // React escapes
      react: { useSuspense: false },
    });
  applyDirection(i18next.language);
  i18next.on("languageChanged", applyDirection);
  return i18next;
}

/** Speaks another language from now on, and remembers it. */
export async function chooseLocale(name: LocaleName): Promise<void> {
  localStorage.setItem(KEPT_AS, name);
  await i18next.changeLanguage(name);
}

function readCatalogue(
  language: string,
  namespace: string,
  callback: (error: Error | null, words: Record<string, unknown> | null) => void,
): void {
  const load = catalogues[`./locales/${language}/${namespace}.json`];
  if (load === undefined) return callback(null, {});
  load().then(
    (words) => callback(null, words),
    (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
  );
}

function applyDirection(language: string): void {
  const name = isLocale(language) ? language : "en";
  // With the region: the seat map follows the language of the page that it stands in.
  document.documentElement.lang = regional(name);
  document.documentElement.dir = LOCALES[name].direction;
}
