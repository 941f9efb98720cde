// The login of the console. The key is sent once and stored nowhere in the page.
import { useEffect, useRef, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button, Field, LocaleSwitch, Note, ThemeSwitch, useProblemWords } from "~/design";
import { ConsoleMark } from "./parts";
import { logIn } from "./session";

export function Login({ because }: { because: "never" | "ended" | "logout" }) {
  const { t } = useTranslation("console");
  const words = useProblemWords();
  const form = useRef<HTMLFormElement>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    document.title = `${t("login.title")} · ${t("console")}`;
  }, [t]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const key = String(new FormData(event.currentTarget).get("key") ?? "").trim();
    const wrong = wrongKind(key);
    if (wrong !== null) return setError(t(`login.${wrong}`));
    setBusy(true);
    setError(null);
    logIn(key).catch((refusal: unknown) => {
      setError(words(refusal));
      setBusy(false);
      form.current?.reset();
      form.current?.querySelector("input")?.focus();
    });
  };
  return (
    <div className="console-login">
      <main className="console-login-card">
        <ConsoleMark />
        <h1>{t("login.title")}</h1>
        <p className="console-quiet">{t("login.lead")}</p>
        {because !== "never" && (
          <Note tone={because === "ended" ? "warn" : "plain"}>{t(`login.${because}`)}</Note>
        )}
        <form ref={form} onSubmit={submit} className="console-stack" noValidate>
          <Field
            label={t("login.key")}
            hint={t("login.hint")}
            error={error}
            name="key"
            type="password"
            autoComplete="off"
            spellCheck={false}
            placeholder="ak_…"
            maxLength={100}
            dir="ltr"
            required
          />
          <Button type="submit" busy={busy}>
            {t("login.enter")}
          </Button>
        </form>
        <details className="console-quiet">
          <summary>{t("login.where")}</summary>
          <p>{t("login.where_text")}</p>
          <pre dir="ltr">bespeak keys create ak &quot;console&quot;</pre>
        </details>
      </main>
      <footer className="console-login-foot">
        <LocaleSwitch />
        <ThemeSwitch />
      </footer>
    </div>
  );
}

/** Why a text cannot be an admin key; checked before it is sent. */
function wrongKind(key: string): "empty" | "not_admin" | null {
  if (key === "") return "empty";
  return /^(pk|sk)_/.test(key) ? "not_admin" : null;
}
