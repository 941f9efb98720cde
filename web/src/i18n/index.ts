// Translations. A page loads the texts of its own language and namespace only.
import i18next, { type i18n } from "i18next";
import { initReactI18next } from "react-i18next";
import { number } from "./format";
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

/** The first language: the stored one, or the first of the browser's that we have. */
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

/** Loads these namespaces in the preferred language and in English. */
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
  // In the texts: {{count, number}}.
  i18next.services.formatter?.add("number", (value: number) => number(value));
  applyDirection(i18next.language);
  i18next.on("languageChanged", applyDirection);
  return i18next;
}

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
  // With the region, because the seat map takes its locale from here.
  document.documentElement.lang = regional(name);
  document.documentElement.dir = LOCALES[name].direction;
}
