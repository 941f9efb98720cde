// The dialog in which an operator proves again who they are.
import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { Button, Dialog, Field, Note, useProblemWords } from "~/design";
import { PasskeyCancelled, usePasskey } from "./passkeys";
import { useAsked, type Asked } from "./proof";
import { api } from "./session";

export function ProofDialog() {
  const { t } = useTranslation("console");
  const asked = useAsked();
  return (
    <Dialog open={asked !== null} title={t("proof.title")} onClose={() => asked?.end(false)}>
      {asked && <Ways asked={asked} />}
    </Dialog>
  );
}

function Ways({ asked: { ways, end } }: { asked: Asked }) {
  const { t } = useTranslation("console");
  const [, go] = useLocation();
  const words = useProblemWords();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const typed = ways.find((way) => way !== "passkey");
  const run = (proof: Promise<unknown>) => {
    setBusy(true);
    setError(null);
    proof.then(
      () => end(true),
      (refusal: unknown) => {
        setError(refusal instanceof PasskeyCancelled ? t("login.cancelled") : words(refusal));
        setBusy(false);
      },
    );
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get("proof") ?? "");
    const body = typed === "password" ? { password: text } : { code: text.trim() };
    if (text !== "") run(api.POST("/v1/operator-account/proof", { body }));
  };
  if (ways.length === 0) {
    return (
      <div className="console-stack">
        <Note tone="warn">{t("proof.none")}</Note>
        <Button
          onClick={() => {
            end(false);
            go("/console/account");
          }}
        >
          {t("account.title")}
        </Button>
      </div>
    );
  }
  return (
    <div className="console-stack">
      <p>{t("proof.text")}</p>
      {ways.includes("passkey") && (
        <Button busy={busy} onClick={() => run(byPasskey())}>
          {t("login.passkey")}
        </Button>
      )}
      {typed && (
        <form onSubmit={submit} className="console-stack">
          <Field
            label={t(typed === "password" ? "login.password" : "login.code")}
            name="proof"
            type={typed === "password" ? "password" : "text"}
            autoComplete={typed === "password" ? "current-password" : "one-time-code"}
            dir="ltr"
          />
          <Button type="submit" kind="quiet" busy={busy}>
            {t("proof.send")}
          </Button>
        </form>
      )}
      {error && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

async function byPasskey(): Promise<void> {
  const { options } = await api.POST("/v1/operator-account/proof-request");
  const credential = await usePasskey(options);
  await api.POST("/v1/operator-account/proof", { body: { credential } });
}
