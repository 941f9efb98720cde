// The audit log: who asked for what, the latest first.
import { useTranslation } from "react-i18next";
import type { AuditEntry } from "~/api/schema";
import { Badge } from "~/design";
import {
  type Column,
  csvHref,
  CsvLink,
  DataTable,
  DateRange,
  Filters,
  PageHead,
  SearchField,
  usePages,
  useTableState,
  When,
} from "../parts";
import { dayBounds } from "../today/period";

const PATH = "/v1/audit-log";
const DEFAULTS = { actor: "", subject: "", from: "", to: "" };
const REFRESH_MS = 15_000;

export default function AuditLogPage() {
  const { t } = useTranslation("console");
  const [table, change] = useTableState(DEFAULTS, {});
  const params = {
    actor: table.actor.trim(),
    subject: table.subject.trim(),
    from: dayBounds(table.from)?.from,
    to: dayBounds(table.to)?.to,
  };
  const entries = usePages(PATH, { query: { ...params, limit: 50 } }, REFRESH_MS);
  return (
    <>
      <PageHead
        title={t("audit_log.title")}
        lead={t("audit_log.lead")}
        actions={<CsvLink href={csvHref(PATH, params)} />}
      />
      <Filters>
        <SearchField
          label={t("audit_log.search_actor")}
          hint={t("audit_log.search_actor_hint")}
          value={table.actor}
          onChange={(actor) => change({ actor })}
        />
        <SearchField
          label={t("audit_log.search_subject")}
          hint={t("audit_log.search_subject_hint")}
          value={table.subject}
          onChange={(subject) => change({ subject })}
        />
        <DateRange from={table.from} to={table.to} onChange={change} />
      </Filters>
      <DataTable
        label={t("audit_log.title")}
        words="audit_log"
        columns={COLUMNS}
        {...entries}
        rowKey={(entry) => entry.id}
        empty={{ title: t("audit_log.none") }}
      />
    </>
  );
}

const COLUMNS: readonly Column<AuditEntry>[] = [
  {
    key: "action",
    leads: true,
    cell: ({ action }) => (
      <code dir="ltr" className="console-quiet">
        {action}
      </code>
    ),
  },
  { key: "actor", cell: (entry) => <Actor entry={entry} /> },
  {
    key: "subject",
    cell: ({ subject }) => <code dir="ltr">{subject}</code>,
  },
  { key: "outcome", cell: (entry) => <Outcome entry={entry} /> },
  { key: "address", cell: ({ address }) => <span dir="ltr">{address}</span> },
  { key: "at", cell: ({ at }) => <When at={at} /> },
];

function Actor({ entry: { actor, actor_name: name } }: { entry: AuditEntry }) {
  const { t } = useTranslation("console");
  if (actor === "cli" || actor === "nobody") return t(`audit_log.${actor}`);
  return (
    <div className="console-name">
      <strong>{name}</strong>
      <code dir="ltr" className="console-quiet">
        {actor}
      </code>
    </div>
  );
}

function Outcome({ entry: { outcome, code, times } }: { entry: AuditEntry }) {
  const { t } = useTranslation("console");
  return (
    <div className="console-name">
      <span>
        <Badge tone={outcome === "refused" ? "warn" : "plain"}>
          {t(`audit_log.outcomes.${outcome}`)}
        </Badge>
      </span>
      {code !== null && (
        <code dir="ltr" className="console-quiet">
          {code}
        </code>
      )}
      {times > 1 && <span className="console-quiet">{t("audit_log.times", { count: times })}</span>}
    </div>
  );
}
