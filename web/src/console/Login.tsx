// The login of the console: by a passkey, a password with the code of an app, or a key. Nothing of it
// is stored in the page.
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Problem } from "~/api/client";
import { Button, Field, LocaleSwitch, Note, ThemeSwitch, useProblemWords } from "~/design";
import { ConsoleMark } from "./parts";
import { hasPasskeys, offersPasskeys, PasskeyCancelled } from "./passkeys";
import { logIn, logInByPasskey, logInByPassword } from "./session";

export function Login({ because }: { because: "never" | "ended" | "logout" }) {
  const { t } = useTranslation("console");
  const [byKey, setByKey] = useState(false);
  useEffect(() => {
    document.title = `${t("login.title")} · ${t("console")}`;
  }, [t]);
  return (
    <LoginCard title={t("login.title")} lead={t("login.lead")}>
      {because !== "never" && (
        <Note tone={because === "ended" ? "warn" : "plain"}>{t(`login.${because}`)}</Note>
      )}
      {byKey ? <KeyLogin /> : <AccountLogin />}
      <Button kind="bare" size="small" onClick={() => setByKey(!byKey)}>
        {t(byKey ? "login.by_account" : "login.by_key")}
      </Button>
    </LoginCard>
  );
}

type CardProps = { title: string; lead: ReactNode; children: ReactNode };

export function LoginCard({ title, lead, children }: CardProps) {
  return (
    <div className="console-login">
      <main className="console-login-card">
        <ConsoleMark />
        <h1>{title}</h1>
        <p className="console-quiet">{lead}</p>
        {children}
      </main>
      <footer className="console-login-foot">
        <LocaleSwitch />
        <ThemeSwitch />
      </footer>
    </div>
  );
}

function AccountLogin() {
  const { t } = useTranslation("console");
  const words = useProblemWords();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [needsCode, setNeedsCode] = useState(false);
  const offered = useOfferedPasskey();
  const run = (login: Promise<void>) => {
    setBusy(true);
    setError(null);
    login.catch((refusal: unknown) => {
      setBusy(false);
      if (refusal instanceof Problem && refusal.code === "second_factor_required") {
        return setNeedsCode(true);
      }
      setError(refusal instanceof PasskeyCancelled ? t("login.cancelled") : words(refusal));
    });
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const text = (name: string) => String(given.get(name) ?? "");
    // Whoever has a key and pastes it into the first field means just that.
    if (/^[ar]k_/.test(text("login").trim())) return run(logIn(text("login").trim()));
    if (text("login").trim() === "" || text("password") === "") {
      return setError(t("login.incomplete"));
    }
    offered.current?.abort();
    run(logInByPassword(text("login").trim(), text("password"), text("code").trim() || null));
  };
  return (
    <>
      {hasPasskeys() && (
        <Button
          busy={busy}
          onClick={() => {
            offered.current?.abort();
            run(logInByPasskey());
          }}
        >
          {t("login.passkey")}
        </Button>
      )}
      <form onSubmit={submit} className="console-stack" noValidate>
        <Field
          label={t("login.name")}
          name="login"
          autoComplete="username webauthn"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={100}
          dir="ltr"
          required
        />
        <Field
          label={t("login.password")}
          name="password"
          type="password"
          autoComplete="current-password"
          dir="ltr"
          required
        />
        {needsCode && (
          <Field
            label={t("login.code")}
            hint={t("login.code_hint")}
            name="code"
            autoComplete="one-time-code"
            maxLength={40}
            dir="ltr"
          />
        )}
        {error && (
          <p className="field-error" role="alert">
            {error}
          </p>
        )}
        <Button type="submit" kind="quiet" busy={busy}>
          {t("login.enter")}
        </Button>
      </form>
    </>
  );
}

/** Lets the browser offer passkeys in the field of the name, for as long as the form is there. */
function useOfferedPasskey() {
  const offered = useRef<AbortController | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    offered.current = controller;
    const offer = async () => {
      if (!(await offersPasskeys()) || controller.signal.aborted) return;
      await logInByPasskey(controller.signal);
    };
    // What comes of nothing here is asked for by the button.
    offer().catch(() => undefined);
    return () => controller.abort();
  }, []);
  return offered;
}

function KeyLogin() {
  const { t } = useTranslation("console");
  const words = useProblemWords();
  const form = useRef<HTMLFormElement>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
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
    <>
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
    </>
  );
}

/** Why a text cannot be an admin key; checked before it is sent. */
function wrongKind(key: string): "empty" | "not_admin" | null {
  if (key === "") return "empty";
  return /^(pk|sk)_/.test(key) ? "not_admin" : null;
}
