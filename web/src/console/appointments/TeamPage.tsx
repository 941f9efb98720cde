// One team: what guests need before they can book it, who it is, and how it is booked.
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Team, TeamChange } from "~/api/schema";
import { ButtonLink, Loaded, useToast } from "~/design";
import { PageHead } from "../parts";
import { useChange, versionOf } from "../saving/useChange";
import { QuestionsPanel } from "../questions/QuestionsPanel";
import { useResourceOf } from "../resources";
import { api } from "../session";
import { DraftPanel } from "../shows/DraftPanel";
import { HideButton } from "../shows/PublishSwitch";
import { APPOINTMENTS, teamKey, useTeam } from "./calls";
import { NotSaved } from "./NotSaved";
import { teamChange, teamDraft, teamOwn } from "./teamDraft";
import { TeamForm } from "./TeamForm";
import { TeamState } from "./TeamsPage";

export function TeamPage({ id }: { id: string }) {
  const { t } = useTranslation("appointments");
  const found = useTeam(id);
  return (
    <>
      {found.data === undefined && (
        <PageHead
          title={t("team.one")}
          back={{ href: "/console/appointments", label: t("teams.title") }}
        />
      )}
      <Loaded of={found} height="24rem">
        {(team) => <Details team={team} />}
      </Loaded>
    </>
  );
}

function Details({ team }: { team: Team }) {
  const { t } = useTranslation("appointments");
  const queries = useQueryClient();
  const resource = useResourceOf(team.id, APPOINTMENTS);
  return (
    <>
      <PageHead
        title={team.name}
        back={{ href: "/console/appointments", label: t("teams.title") }}
        lead={
          <span className="console-facts">
            <TeamState of={team} />
            <span>{t("team.providers", { count: team.providers.length })}</span>
            <span>{t("team.services", { count: team.services.length })}</span>
          </span>
        }
        actions={
          <>
            {resource?.published && <HideButton show={resource} />}
            {team.published && (
              <a
                className="button"
                data-kind="quiet"
                data-size="normal"
                href={`/appointments/${team.id}`}
              >
                {t("team.in_shop")}
              </a>
            )}
            <ButtonLink kind="quiet" href={`/console/shows/${team.id}`}>
              {t("team.bookings")}
            </ButtonLink>
            <ButtonLink href={`/console/appointments/${team.id}/agenda`}>
              {t("agenda.title")}
            </ButtonLink>
          </>
        }
      />
      {resource !== undefined && !resource.published && <DraftPanel show={resource} />}
      <ChangeForm team={team} />
      <QuestionsPanel
        resource={team.id}
        asked={{ questions: team.questions ?? [], translations: team.translations ?? [] }}
        save={async (asked) => {
          await api.PATCH("/v1/appointments/teams/{team_id}", {
            path: { team_id: team.id },
            body: asked,
          });
          void queries.invalidateQueries({ queryKey: ["resource", team.id] });
          await queries.invalidateQueries({ queryKey: APPOINTMENTS });
        }}
      />
    </>
  );
}

function ChangeForm({ team }: { team: Team }) {
  const { t } = useTranslation("appointments");
  const tell = useToast();
  const queries = useQueryClient();
  const path = { team_id: team.id };
  const { began, edition, busy, error, ...form } = useChange(team, {
    stale: APPOINTMENTS,
    key: teamKey(team.id),
    read: () => api.GET("/v1/appointments/teams/{team_id}", { path }),
    send: (body: TeamChange, now) =>
      api.PATCH("/v1/appointments/teams/{team_id}", { path, body: { ...body, ...versionOf(now) } }),
    own: teamOwn,
    changeOf: teamChange,
  });
  return (
    <TeamForm
      begin={teamDraft(began)}
      edition={edition}
      isNew={false}
      busy={busy}
      refused={<NotSaved error={error} onAnew={form.loadTheirs} />}
      onSubmit={(draft) => {
        if (form.isUnchanged(draft)) return tell(t("unchanged"));
        void form.change(draft, () => {
          void queries.invalidateQueries({ queryKey: ["resource", team.id] });
          tell(t("saved"));
        });
      }}
    />
  );
}
