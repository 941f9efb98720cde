// All teams, by name: whether guests see them, when they are free next, and the way to their agenda.
import { useDeferredValue } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Team } from "~/api/schema";
import { Badge, ButtonLink } from "~/design";
import { number } from "~/i18n/format";
import {
  type Column,
  DataTable,
  Filters,
  PageHead,
  SearchField,
  usePages,
  useTableState,
  When,
} from "../parts";
import { useManagesAll, useMay } from "../session";
import { TEAMS_PATH, useNextFree } from "./calls";

const REFRESH_MS = 15_000;
const DEFAULTS = { q: "" };

const COLUMNS: readonly Column<Team>[] = [
  { key: "team", leads: true, cell: (team) => <Name of={team} /> },
  { key: "providers", numeric: true, cell: ({ providers }) => number(providers.length) },
  { key: "services", numeric: true, cell: ({ services }) => number(services.length) },
  { key: "next", cell: (team) => <NextFree of={team} /> },
  { key: "state", cell: (team) => <TeamState of={team} /> },
  { key: "agenda", cell: ({ id, name }) => <ToAgenda id={id} name={name} /> },
];

export function TeamsPage() {
  const { t } = useTranslation("appointments");
  const mayMake = useManagesAll();
  const [table, change] = useTableState(DEFAULTS, {});
  const query = { text: useDeferredValue(table.q), limit: 50 };
  const teams = usePages(TEAMS_PATH, { query }, REFRESH_MS);
  return (
    <>
      <PageHead
        title={t("teams.title")}
        lead={t("teams.lead")}
        actions={
          mayMake && <ButtonLink href="/console/appointments/new">{t("teams.new")}</ButtonLink>
        }
      />
      <Filters>
        <SearchField
          label={t("teams.search")}
          value={table.q}
          onChange={(text) => change({ q: text })}
        />
      </Filters>
      <DataTable
        label={t("teams.title")}
        words="teams"
        columns={COLUMNS}
        {...teams}
        rowKey={({ id }) => id}
        empty={{ title: t("teams.none"), text: t("teams.none_text") }}
      />
    </>
  );
}

function Name({ of: { id, name, city } }: { of: Team }) {
  const page = `/console/appointments/${id}`;
  return (
    <div className="console-name">
      <Link href={useMay("manage") ? page : `${page}/agenda`} className="console-row-link">
        <bdi>{name}</bdi>
      </Link>
      {city !== "" && (
        <span className="console-quiet">
          <bdi>{city}</bdi>
        </span>
      )}
    </div>
  );
}

/** Of the first service, which is named: each has times of its own. */
function NextFree({ of: { id, services, time_zone: zone } }: { of: Team }) {
  const [service] = services;
  const { data } = useNextFree(id, service?.name ?? "");
  if (!data) return <>–</>;
  return (
    <div className="console-name">
      <When at={data} zone={zone} />
      <span className="console-quiet">
        <bdi>{service?.title}</bdi>
      </span>
    </div>
  );
}

function ToAgenda({ id, name }: { id: string; name: string }) {
  const { t } = useTranslation("appointments");
  return (
    <Link className="programme-link" href={`/console/appointments/${id}/agenda`}>
      {t("agenda.title")}
      <span className="visually-hidden">: {name}</span>
    </Link>
  );
}

/** Whether guests see a team, and can book it. */
export function TeamState({ of }: { of: Team }) {
  const { t } = useTranslation("appointments");
  if (!of.published) return <Badge tone="warn">{t("states.draft")}</Badge>;
  const isOpen = of.state === "open";
  return (
    <Badge tone={isOpen ? "good" : "bad"}>{t(isOpen ? "states.open" : "states.closed")}</Badge>
  );
}
