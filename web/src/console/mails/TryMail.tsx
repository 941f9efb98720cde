// A mail to try the texts as they are typed, to an address of the operator's.
import { useTranslation } from "react-i18next";
import { useToast } from "~/design";
import { api } from "../session";
import type { Draft, MailKind } from "./text";
import { TryForm } from "./TryForm";

type TryMailProps = {
  path: { kind: MailKind; language: "en" | "de" | "ar" };
  draft: Draft;
};

export function TryMail({ path, draft }: TryMailProps) {
  const { t } = useTranslation("console");
  const tell = useToast();
  const send = async (email: string) => {
    const body = { email, text: draft, booking_id: null };
    await api.POST("/v1/mail-texts/{kind}/{language}/test", { path, body });
    tell(t("mails.tried", { email }));
  };
  return <TryForm label={t("mails.try_at")} action={t("mails.try")} send={send} />;
}
