// Translations. A page loads the texts of its own language and namespace only.
import i18next, { type i18n } from "i18next";
import { initReactI18next } from "react-i18next";
import { number } from "./format";
import {
  applyDirection,
  keepLocale,
  LOCALES,
  preferredLocale,
  readWords,
  type LocaleName,
} from "./locale";

export { isLocale, LOCALES, type LocaleName } from "./locale";

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
  keepLocale(name);
  await i18next.changeLanguage(name);
}

function readCatalogue(
  language: string,
  namespace: string,
  callback: (error: Error | null, words: Record<string, unknown> | null) => void,
): void {
  readWords(language, namespace).then(
    (words) => callback(null, words),
    (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
  );
}
