// How a mail looks while its texts are typed.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Problem } from "~/api/client";
import { ErrorNote, Note } from "~/design";
import { api } from "../session";
import { MailLook } from "./MailLook";
import type { Draft, MailKind } from "./text";

const PAUSE_MS = 400;

type MailPreviewProps = {
  path: { kind: MailKind; language: "en" | "de" | "ar" };
  draft: Draft;
};

export function MailPreview({ path, draft }: MailPreviewProps) {
  const { t } = useTranslation("console");
  const text = useSettled(draft);
  const found = useQuery({
    queryKey: ["mail-preview", path.kind, path.language, text],
    queryFn: () =>
      api.POST("/v1/mail-texts/{kind}/{language}/preview", {
        path,
        body: { text, booking_id: null },
      }),
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  });
  const isTyping = found.error instanceof Problem && found.error.code === "mail_text_invalid";
  return (
    <>
      {isTyping && <Note>{t("mails.preview_waits")}</Note>}
      {found.error !== null && !isTyping && <ErrorNote error={found.error} />}
      {found.data !== undefined && <MailLook mail={found.data} language={path.language} />}
    </>
  );
}

/** The value as it was when it had not changed for a moment. */
function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
