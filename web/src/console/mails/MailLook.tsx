// How a composed mail looks: its envelope, and its HTML in a frame that runs nothing. It comes from the
// server with every text escaped. The page's policy lets no style attribute count, in a frame either; so
// the styles are set by the program, as the mail has them.
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { MailPreview } from "~/api/schema";
import "./mails.css";

type MailLookProps = { mail: Pick<MailPreview, "sender" | "subject" | "html">; language: string };

export function MailLook({ mail, language }: MailLookProps) {
  const { t } = useTranslation("console");
  return (
    <>
      <dl className="mails-envelope">
        <dt>{t("outbox.from")}</dt>
        <dd>
          <bdi>{mail.sender}</bdi>
        </dd>
        <dt>{t("outbox.subject")}</dt>
        <dd>
          <bdi lang={language}>{mail.subject}</bdi>
        </dd>
      </dl>
      <Frame html={mail.html} title={mail.subject} />
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
