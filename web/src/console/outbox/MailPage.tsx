// A mail of the outbox. Its HTML is somebody else's: it stands in a frame that runs nothing.
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { OpenedMail } from "~/api/internal";
import { Icon, Loaded } from "~/design";
import { PageHead, Panel, When } from "../parts";
import { api } from "../session";
import "./outbox.css";

export default function MailPage({ id }: { id: string }) {
  const { t } = useTranslation("console");
  const mail = useQuery({
    queryKey: ["outbox", id],
    queryFn: () => api.GET("/v1/outbox/{mail_id}", { path: { mail_id: id } }),
  });
  return (
    <>
      <PageHead
        title={mail.data?.subject || t("outbox.one")}
        back={{ href: "/console/outbox", label: t("outbox.title") }}
        lead={mail.data && <Envelope mail={mail.data} />}
      />
      <Loaded of={mail} height="16rem">
        {(data) => <Message mail={data} />}
      </Loaded>
    </>
  );
}

function Envelope({ mail }: { mail: OpenedMail }) {
  const { t } = useTranslation("console");
  return (
    <span className="console-facts">
      <span>
        {t("outbox.to")}: <bdi>{mail.to}</bdi>
      </span>
      <span>
        {t("outbox.from")}: <bdi>{mail.sender}</bdi>
      </span>
      <When at={mail.written_at} exact />
    </span>
  );
}

function Message({ mail }: { mail: OpenedMail }) {
  const { t } = useTranslation("console");
  const path = `/v1/outbox/${mail.id}`;
  return (
    <>
      {mail.attachments.length > 0 && (
        <Panel title={t("outbox.attachments")}>
          <ul role="list" className="outbox-files">
            {mail.attachments.map(({ index, name }) => (
              <li key={index}>
                <a href={`${path}/attachments/${index}`} download={name}>
                  <Icon name="download" size={18} /> <bdi>{name}</bdi>
                </a>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {mail.has_html && (
        <Panel title={t("outbox.message")}>
          <iframe className="outbox-html" title={mail.subject} sandbox="" src={`${path}/html`} />
        </Panel>
      )}
      <Panel title={t("outbox.text")}>
        <pre className="outbox-text" dir="auto">
          {mail.text}
        </pre>
      </Panel>
    </>
  );
}
