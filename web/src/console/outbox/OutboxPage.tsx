// The outbox: mails that were written into a folder because no mail server is set up.
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { OutboxMail } from "~/api/internal";
import { type Column, DataTable, PageHead, usePages, When } from "../parts";

const REFRESH_MS = 10_000;

export default function OutboxPage() {
  const { t } = useTranslation("console");
  const mails = usePages("/v1/outbox", { query: { limit: 50 } }, REFRESH_MS);
  return (
    <>
      <PageHead title={t("outbox.title")} lead={t("outbox.lead")} />
      <DataTable
        label={t("outbox.title")}
        words="outbox"
        columns={COLUMNS}
        {...mails}
        rowKey={(mail) => mail.id}
        empty={{ title: t("outbox.none"), text: t("outbox.none_text") }}
      />
    </>
  );
}

const COLUMNS: readonly Column<OutboxMail>[] = [
  {
    key: "subject",
    leads: true,
    cell: (mail) => (
      <Link href={`/console/outbox/${mail.id}`}>
        <bdi>{mail.subject || mail.id}</bdi>
      </Link>
    ),
  },
  { key: "to", cell: ({ to }) => <bdi>{to}</bdi> },
  { key: "written", cell: ({ written_at: at }) => <When at={at} /> },
];
