// How a mail looks while its texts are typed. It comes composed from the server, with every text
// escaped, and stands in a frame that runs nothing. The page's policy lets no style attribute
// count, in a frame either; so the styles are set by the program, as the mail has them.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Problem } from "~/api/client";
import { ErrorNote, Note } from "~/design";
import { api } from "../session";
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
      {found.data !== undefined && (
        <>
          <dl className="mails-envelope">
            <dt>{t("outbox.from")}</dt>
            <dd>
              <bdi>{found.data.sender}</bdi>
            </dd>
            <dt>{t("outbox.subject")}</dt>
            <dd>
              <bdi lang={path.language}>{found.data.subject}</bdi>
            </dd>
          </dl>
          <Frame html={found.data.html} title={found.data.subject} />
        </>
      )}
    </>
  );
}

function Frame({ html, title }: { html: string; title: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const dress = () => {
    const page = frame.current?.contentDocument;
    page?.querySelectorAll<HTMLElement>("[data-style]").forEach((part) => {
      part.style.cssText = part.dataset["style"] ?? "";
    });
    const height = page?.documentElement.scrollHeight ?? 0;
    frame.current?.style.setProperty("--mail-height", `${height}px`);
  };
  return (
    <iframe
      ref={frame}
      className="mails-frame"
      title={title}
      sandbox="allow-same-origin"
      srcDoc={html.replaceAll(' style="', ' data-style="')}
      onLoad={dress}
    />
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
