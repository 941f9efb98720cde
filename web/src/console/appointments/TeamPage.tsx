// One team: what guests need before they can book it, who it is, and how it is booked.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Problem } from "~/api/client";
import type { Team, TeamChange } from "~/api/schema";
import { ButtonLink, Loaded, useToast } from "~/design";
import { PageHead } from "../parts";
import { useSave } from "../programme/useSave";
import { QuestionsPanel } from "../questions/QuestionsPanel";
import { api } from "../session";
import { DraftPanel } from "../shows/DraftPanel";
import { HideButton } from "../shows/PublishSwitch";
import { APPOINTMENTS, teamKey, useTeam } from "./calls";
import { isOverOthers, teamChange, teamDraft } from "./teamDraft";
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
  const resource = useQuery({
    queryKey: ["resource", team.id],
    queryFn: () => api.GET("/v1/resources/{resource_id}", { path: { resource_id: team.id } }),
  });
  const version = resource.data?.version;
  useEffect(() => {
    // Published, hidden, opened or closed by the parts that know only the resource.
    if (version !== undefined) void queries.invalidateQueries({ queryKey: APPOINTMENTS });
  }, [version, queries]);
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
            {resource.data?.published && <HideButton show={resource.data} />}
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
      {resource.data !== undefined && !resource.data.published && (
        <DraftPanel show={resource.data} />
      )}
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

/** The form keeps what it began with: what others change meanwhile is not taken back by it, and where both
 * changed the same that is told first. */
function ChangeForm({ team }: { team: Team }) {
  const { t } = useTranslation("appointments");
  const tell = useToast();
  const queries = useQueryClient();
  const { busy, error, save, forget } = useSave(APPOINTMENTS);
  const [began, begin] = useState(team);
  const [edition, setEdition] = useState(0);
  const [isTold, setTold] = useState(false);
  const change = async (body: TeamChange) => {
    const { version } = isTold || !isOverOthers(began, team, body) ? team : began;
    try {
      return await api.PATCH("/v1/appointments/teams/{team_id}", {
        path: { team_id: team.id },
        body: { ...body, ...(typeof version === "number" && { version }) },
      });
    } catch (refused) {
      if (refused instanceof Problem && refused.code === "version_mismatch") {
        // Read before one can answer: what is saved next is over this, and nothing later.
        await queries.invalidateQueries({ queryKey: teamKey(team.id) });
        setTold(true);
      }
      throw refused;
    }
  };
  return (
    <TeamForm
      key={edition}
      begin={teamDraft(began)}
      isNew={false}
      busy={busy}
      error={error}
      onChange={() => undefined}
      onAnew={() => {
        begin(team);
        setTold(false);
        setEdition(edition + 1);
        forget();
      }}
      onSubmit={(draft) => {
        const body = teamChange(began, draft, team);
        if (Object.keys(body).length === 0) return tell(t("unchanged"));
        void save(
          () => change(body),
          (saved) => {
            begin(saved);
            setTold(false);
            queries.setQueryData(teamKey(team.id), saved);
            void queries.invalidateQueries({ queryKey: ["resource", team.id] });
            tell(t("saved"));
          },
        );
      }}
    />
  );
}
