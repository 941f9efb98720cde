// What a one-time link opens: an operator sets up how to log in, with a passkey, or else a password.
import { useEffect, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import type { OperatorLinkView } from "~/api/internal";
import { Button, ButtonLink, ErrorNote, Field, Spinner, useProblemWords } from "~/design";
import { LoginCard } from "./Login";
import { hasPasskeys, PasskeyCancelled } from "./passkeys";
import { api, setUpLogin } from "./session";

/** The link's secret, read once, before it is taken out of the address. */
const link = location.pathname === "/console/set-up" ? location.hash.slice(1) : "";

export function SetUpPage() {
  const { t } = useTranslation("console");
  const [seen, setSeen] = useState<OperatorLinkView | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    document.title = `${t("set_up.title")} · ${t("console")}`;
  }, [t]);
  useEffect(() => {
    history.replaceState(history.state, "", "/console/set-up");
    api.POST("/v1/operator-logins/link", { body: { link } }).then(setSeen, setError);
  }, []);
  if (error !== null) {
    return (
      <LoginCard title={t("set_up.title")} lead={t("set_up.bad")}>
        <ErrorNote error={error} />
        <ButtonLink href="/console">{t("login.enter")}</ButtonLink>
      </LoginCard>
    );
  }
  if (seen === null) {
    return (
      <div className="console-alone console-waiting">
        <Spinner />
      </div>
    );
  }
  const { name, login, purpose } = seen;
  const told = { name, login, interpolation: { escapeValue: false } };
  return (
    <LoginCard title={t("set_up.welcome", told)} lead={t(`set_up.${purpose}`, told)}>
      <Ways seen={seen} />
    </LoginCard>
  );
}

function Ways({ seen }: { seen: OperatorLinkView }) {
  const { t } = useTranslation("console");
  const [, go] = useLocation();
  const words = useProblemWords();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const run = (made: Promise<void>) => {
    setBusy(true);
    setError(null);
    made.then(
      () => go("/console", { replace: true }),
      (refusal: unknown) => {
        setBusy(false);
        setError(refusal instanceof PasskeyCancelled ? t("login.cancelled") : words(refusal));
      },
    );
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const password = String(new FormData(event.currentTarget).get("password") ?? "");
    if (password.length < 12) return setError(t("account.password_hint"));
    run(setUpLogin(link, { password }));
  };
  const { options } = seen;
  const canHave = options !== null && hasPasskeys();
  return (
    <>
      {canHave && (
        <>
          <Button busy={busy} onClick={() => run(setUpLogin(link, { options }))}>
            {t("account.add_passkey")}
          </Button>
          <p className="console-quiet">{t("set_up.passkey")}</p>
        </>
      )}
      {error && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
      <details open={!canHave}>
        <summary>{t("set_up.password")}</summary>
        <form onSubmit={submit} className="console-stack" noValidate>
          <input
            type="text"
            name="username"
            autoComplete="username"
            value={seen.login}
            readOnly
            hidden
          />
          <Field
            label={t("login.password")}
            hint={t("account.password_hint")}
            name="password"
            type="password"
            autoComplete="new-password"
            maxLength={200}
            dir="ltr"
          />
          <Button type="submit" kind={canHave ? "quiet" : "primary"} busy={busy}>
            {t("account.set_password")}
          </Button>
        </form>
      </details>
    </>
  );
}
