// A mail that tries the mail server at once: as it is typed, or as it is set. What went wrong is said in
// words, with what the mail server answered. A wrong field of the form is the form's to show.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Problem } from "~/api/client";
import type { MailServerTrial, SetMailServer } from "~/api/schema";
import { Note } from "~/design";
import { isLocale } from "~/i18n";
import { api } from "../session";
import { fieldOf } from "./serverDraft";
import { TryForm } from "./TryForm";

type TryProps = { server?: SetMailServer; onRefused?: (error: Problem) => void };

export function TryServer({ server, onRefused }: TryProps) {
  const { t, i18n } = useTranslation("console");
  const [trial, setTrial] = useState<MailServerTrial | null>(null);
  const send = async (email: string) => {
    setTrial(null);
    const language = isLocale(i18n.language) ? i18n.language : "en";
    const body = { email, language, ...(server !== undefined && { server }) };
    try {
      setTrial(await api.POST("/v1/mail-server/test", { body }));
    } catch (refused) {
      const field = refused instanceof Problem ? fieldOf(refused.data["field"]) : null;
      const isOfForm = server !== undefined && field !== null && field in server;
      if (!(isOfForm && refused instanceof Problem && onRefused)) throw refused;
      onRefused(refused);
    }
  };
  return (
    <TryForm label={t("mail_server.try_at")} action={t("mail_server.try")} send={send}>
      <div role="status">{trial !== null && <Outcome trial={trial} />}</div>
    </TryForm>
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
