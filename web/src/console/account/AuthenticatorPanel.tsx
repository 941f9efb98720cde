// The authenticator app: a QR code, the first code, and the recovery codes, which are shown once.
import { useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import type { OwnAccountView, AuthenticatorView } from "~/api/internal";
import { Button, Dialog, Field, useProblemWords, useToast } from "~/design";
import { ActButton, CopyText, Panel, SecretDialog } from "../parts";
import { api } from "../session";
import { ACCOUNT } from "./account";

export function AuthenticatorPanel({ account }: { account: OwnAccountView }) {
  const { t } = useTranslation("console");
  const tell = useToast();
  const words = useProblemWords();
  const [begun, setBegun] = useState<AuthenticatorView | null>(null);
  const [codes, setCodes] = useState<string | null>(null);
  const has = account.operator.has_authenticator;
  const begin = () => {
    const refused = (error: unknown) => tell(words(error));
    api.POST("/v1/operator-account/authenticator").then(setBegun, refused);
  };
  const text = has
    ? t("account.has_app", { count: account.recovery_codes_left })
    : t("account.has_no_app");
  return (
    <Panel
      title={t("account.app")}
      lead={text}
      actions={
        <>
          <Button kind="quiet" onClick={begin}>
            {t(has ? "account.renew_app" : "account.add_app")}
          </Button>
          {has && (
            <ActButton
              title={t("account.remove_app")}
              verb={t("account.remove_app")}
              dangerous
              refetches={ACCOUNT}
              act={async () => {
                await api.DELETE("/v1/operator-account/authenticator");
              }}
            >
              <p>{t("account.remove_text")}</p>
            </ActButton>
          )}
        </>
      }
    >
      <Dialog open={begun !== null} title={t("account.add_app")} onClose={() => setBegun(null)}>
        {begun && (
          <FirstCode
            begun={begun}
            onDone={(made) => {
              setBegun(null);
              setCodes(made.join("  "));
            }}
          />
        )}
      </Dialog>
      <SecretDialog
        title={t("account.codes")}
        text={t("account.codes_text")}
        secret={codes}
        onClose={() => setCodes(null)}
      />
    </Panel>
  );
}

type FirstProps = { begun: AuthenticatorView; onDone: (codes: readonly string[]) => void };

function FirstCode({ begun, onDone }: FirstProps) {
  const { t } = useTranslation("console");
  const words = useProblemWords();
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget).get("code") ?? "").replace(/\s/g, "");
    const finish = async () => {
      const made = await api.POST("/v1/operator-account/authenticator/code", { body: { code } });
      onDone(made.codes);
      await queries.invalidateQueries({ queryKey: ACCOUNT });
    };
    setBusy(true);
    setError(null);
    finish()
      .catch((refusal: unknown) => setError(words(refusal)))
      .finally(() => setBusy(false));
  };
  return (
    <form onSubmit={submit} className="console-stack" noValidate>
      <p>{t("account.scan")}</p>
      <img src={begun.qr} alt={t("account.qr")} width={220} height={220} className="console-qr" />
      <CopyText text={begun.secret} label={t("account.secret")} />
      <Field
        label={t("login.code")}
        error={error}
        name="code"
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={10}
        dir="ltr"
        required
      />
      <Button type="submit" busy={busy}>
        {t("account.finish")}
      </Button>
    </form>
  );
}
