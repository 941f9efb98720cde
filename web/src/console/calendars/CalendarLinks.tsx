// Links to calendars: who has them, when each was last used, and to revoke one; of one show or of all.
import { useTranslation } from "react-i18next";
import type { CalendarLink } from "~/api/schema";
import { Badge } from "~/design";
import { ActButton, type Column, DataTable, usePages, When } from "../parts";
import { api } from "../session";

export const CALENDAR_LINKS = "/v1/calendar-links";
const REFRESH_MS = 60_000;

export function CalendarLinks({ resource }: { resource?: string }) {
  const { t } = useTranslation("console");
  const query = { limit: 50, resource_id: resource ?? "" };
  const links = usePages(CALENDAR_LINKS, { query }, REFRESH_MS);
  const columns: readonly Column<CalendarLink>[] = [
    {
      key: "name",
      leads: true,
      cell: (link) => (
        <div className="console-name">
          <strong>{link.name ?? t("calendars.unnamed")}</strong>
          {resource === undefined && (
            <code dir="ltr" className="console-quiet">
              {link.resource_id}
            </code>
          )}
        </div>
      ),
    },
    { key: "made", cell: (link) => <When at={link.created_at} /> },
    {
      key: "used",
      cell: (link) => (link.used_at === null ? t("calendars.never") : <When at={link.used_at} />),
    },
    { key: "state", cell: (link) => <State link={link} /> },
    { key: "revoke", cell: (link) => !link.is_over && <Revoke link={link} /> },
  ];
  return (
    <DataTable
      label={t("calendars.title")}
      words="calendars"
      columns={columns}
      {...links}
      rowKey={(link) => link.id}
      empty={{ title: t("calendars.none") }}
    />
  );
}

function State({ link: { is_over: isOver, expires_at: expires } }: { link: CalendarLink }) {
  const { t } = useTranslation("console");
  return (
    <div className="console-name">
      <span>
        <Badge tone={isOver ? "plain" : "good"}>{t(isOver ? "keys.ended" : "keys.good")}</Badge>
      </span>
      {!isOver && expires !== null && (
        <span className="console-quiet">
          {t("keys.expires")} <When at={expires} />
        </span>
      )}
    </div>
  );
}

function Revoke({ link }: { link: CalendarLink }) {
  const { t } = useTranslation("console");
  const name = link.name ?? t("calendars.unnamed");
  const revoke = async () => {
    const path = { resource_id: link.resource_id, link_id: link.id };
    await api.DELETE("/v1/resources/{resource_id}/calendar-links/{link_id}", { path });
    return t("keys.revoked_done", { name });
  };
  return (
    <ActButton
      size="small"
      label={
        <>
          {t("keys.revoke")}
          <span className="visually-hidden"> {name}</span>
        </>
      }
      title={t("keys.revoke_title", { name })}
      verb={t("keys.revoke")}
      dangerous
      refetches={["pages", CALENDAR_LINKS]}
      act={revoke}
    >
      <p>{t("calendars.revoke_text")}</p>
    </ActButton>
  );
}
