// A mail to try the texts as they are typed, to an address of the operator's.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, ErrorNote, Field, useToast } from "~/design";
import { api } from "../session";
import type { Draft, MailKind } from "./text";

type TryMailProps = {
  path: { kind: MailKind; language: "en" | "de" | "ar" };
  draft: Draft;
};

export function TryMail({ path, draft }: TryMailProps) {
  const { t } = useTranslation("console");
  const tell = useToast();
  const [email, setEmail] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const send = async () => {
    setBusy(true);
    setError(null);
    try {
      await api.POST("/v1/mail-texts/{kind}/{language}/test", {
        path,
        body: { email, text: draft, booking_id: null },
      });
      tell(t("mails.tried", { email }));
    } catch (refused) {
      setError(refused);
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
        label={t("mails.try_at")}
        type="email"
        dir="ltr"
        required
        maxLength={254}
        autoComplete="email"
        value={email}
        onChange={({ target }) => setEmail(target.value)}
      />
      <Button type="submit" kind="quiet" busy={busy}>
        {t("mails.try")}
      </Button>
      {error !== null && <ErrorNote error={error} />}
    </form>
  );
}
