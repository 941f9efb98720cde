// The switches on every page: language, and light or dark theme.
import { useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "./Icon";
import { chooseLocale, isLocale, LOCALES } from "~/i18n";

const THEME_KEPT_AS = "bespeak.theme";

/** Applies the stored theme, or else the device's, and follows the device's changes. */
export function startTheme(): void {
  const dark = globalThis.matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    const kept = localStorage.getItem(THEME_KEPT_AS);
    const theme = kept === "dark" || kept === "light" ? kept : dark.matches ? "dark" : "light";
    document.documentElement.dataset["theme"] = theme;
  };
  dark.addEventListener("change", apply);
  apply();
}

export function useTheme(): "light" | "dark" {
  return useSyncExternalStore(watchTheme, () =>
    document.documentElement.dataset["theme"] === "dark" ? "dark" : "light",
  );
}

function watchTheme(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => observer.disconnect();
}

export function ThemeSwitch() {
  const { t } = useTranslation("design");
  const theme = useTheme();
  const next = theme === "dark" ? "light" : "dark";
  const choose = () => {
    localStorage.setItem(THEME_KEPT_AS, next);
    document.documentElement.dataset["theme"] = next;
  };
  return (
    <button
      type="button"
      className="button"
      data-kind="bare"
      onClick={choose}
      aria-label={t(`theme.${next}`)}
    >
      <Icon name={theme === "dark" ? "sun" : "moon"} />
    </button>
  );
}

/** `only` are the languages to choose from; null: all. With one there is nothing to choose. */
export function LocaleSwitch({ only = null }: { only?: readonly string[] | null }) {
  const { t, i18n } = useTranslation("design");
  const [busy, setBusy] = useState(false);
  const offered = Object.entries(LOCALES).filter(([name]) => only?.includes(name) ?? true);
  if (offered.length < 2) return null;
  return (
    <label className="locale-switch">
      <span className="visually-hidden">{t("language")}</span>
      <select
        className="select"
        value={i18n.language.split("-")[0]}
        disabled={busy}
        onChange={(event) => {
          const name = event.target.value;
          if (!isLocale(name)) return;
          setBusy(true);
          void chooseLocale(name).finally(() => setBusy(false));
        }}
      >
        {offered.map(([name, locale]) => (
          <option key={name} value={name} lang={name}>
            {locale.name}
          </option>
        ))}
      </select>
    </label>
  );
}
