// A mail that tries the mail server at once: as it is typed, or as it is set. What went wrong is said in
// words, with what the mail server answered. A wrong field of the form is the form's to show.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Problem } from "~/api/client";
import type { MailServerTrial, SetMailServer } from "~/api/schema";
import { Button, ErrorNote, Field, Note } from "~/design";
import { isLocale } from "~/i18n";
import { api } from "../session";
import { fieldOf } from "./serverDraft";

type TryProps = { server?: SetMailServer; onRefused?: (error: Problem) => void };

export function TryServer({ server, onRefused }: TryProps) {
  const { t, i18n } = useTranslation("console");
  const [email, setEmail] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [trial, setTrial] = useState<MailServerTrial | null>(null);
  const send = async () => {
    setBusy(true);
    setError(null);
    setTrial(null);
    try {
      const language = isLocale(i18n.language) ? i18n.language : "en";
      const body = { email, language, ...(server !== undefined && { server }) };
      setTrial(await api.POST("/v1/mail-server/test", { body }));
    } catch (refused) {
      const field = refused instanceof Problem ? fieldOf(refused.data["field"]) : null;
      const isOfForm = server !== undefined && field !== null && field in server;
      if (isOfForm && refused instanceof Problem && onRefused) onRefused(refused);
      else setError(refused);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      className="mails-try"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void send();
      }}
    >
      <Field
        label={t("mail_server.try_at")}
        type="email"
        dir="ltr"
        required
        maxLength={254}
        autoComplete="email"
        value={email}
        onChange={({ target }) => setEmail(target.value)}
      />
      <Button type="submit" kind="quiet" busy={busy}>
        {t("mail_server.try")}
      </Button>
      <div role="status">{trial !== null && <Outcome trial={trial} />}</div>
      {error !== null && <ErrorNote error={error} />}
    </form>
  );
}

function Outcome({ trial }: { trial: MailServerTrial }) {
  const { t } = useTranslation("console");
  if (trial.fault === null) return <Note tone="good">{t("mail_server.left")}</Note>;
  return (
    <Note tone="bad">
      {t(`mail_server.faults.${trial.fault}`)}
      {trial.said !== "" && (
        <>
          {" "}
          <bdi lang="en">{trial.said}</bdi>
        </>
      )}
    </Note>
  );
}
