// The day's work of a team: who comes to whom and when, what is blocked, and what can be done with it.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Team } from "~/api/schema";
import { Button, Field, Icon, Loaded } from "~/design";
import { dateTime } from "~/i18n/format";
import { PageHead, Panel, useTableState } from "../parts";
import { dayAfter, isDay } from "../reports/days";
import { AgendaChart } from "./AgendaChart";
import { BlockTime } from "./BlockTime";
import { BookForCaller } from "./BookForCaller";
import { useMay } from "../session";
import { useAgenda, useTeam } from "./calls";
import { TeamState } from "./TeamsPage";

const DEFAULTS = { date: "" };

export function AgendaPage({ id }: { id: string }) {
  const { t } = useTranslation("appointments");
  const team = useTeam(id);
  return (
    <>
      {team.data === undefined && (
        <PageHead
          title={t("agenda.title")}
          back={{ href: "/console/appointments", label: t("teams.title") }}
        />
      )}
      <Loaded of={team} height="24rem">
        {(found) => <Day team={found} />}
      </Loaded>
    </>
  );
}

function Day({ team }: { team: Team }) {
  const { t } = useTranslation("appointments");
  const mayManage = useMay("manage");
  const [table, change] = useTableState(DEFAULTS);
  const [blocking, block] = useState(false);
  const date = isDay(table.date) ? table.date : "";
  const agenda = useAgenda(team.id, date);
  const shown = agenda.data?.date ?? date;
  const go = (day: string) => change({ date: day });
  const page = `/console/appointments/${team.id}`;
  return (
    <>
      <PageHead
        title={t("agenda.of", { team: team.name })}
        back={
          mayManage
            ? { href: page, label: team.name }
            : { href: "/console/appointments", label: t("teams.title") }
        }
        lead={
          <span className="console-facts">
            <TeamState of={team} />
            <span>{t("agenda.clocks", { zone: team.time_zone })}</span>
          </span>
        }
        actions={
          <>
            {mayManage && (
              <Button kind="quiet" disabled={shown === ""} onClick={() => block(true)}>
                <Icon name="block" size={18} />
                {t("block.verb")}
              </Button>
            )}
            <BookForCaller team={team} date={shown} />
          </>
        }
      />
      <div className="agenda-days">
        <Button kind="quiet" disabled={!shown} onClick={() => go(dayAfter(shown, -1))}>
          <Icon name="back" size={18} flip />
          <span className="visually-hidden">{t("agenda.day_before")}</span>
        </Button>
        <Field
          type="date"
          label={t("agenda.day")}
          value={shown}
          onChange={({ target }) => isDay(target.value) && go(target.value)}
        />
        <Button kind="quiet" disabled={!shown} onClick={() => go(dayAfter(shown, 1))}>
          <Icon name="forward" size={18} flip />
          <span className="visually-hidden">{t("agenda.day_after")}</span>
        </Button>
        <Button kind="quiet" onClick={() => go("")}>
          {t("agenda.today")}
        </Button>
      </div>
      <Panel title={shown === "" ? t("agenda.title") : longDay(shown)}>
        <Loaded of={agenda} height="24rem">
          {(found) => <AgendaChart team={team} agenda={found} />}
        </Loaded>
      </Panel>
      {blocking && shown !== "" && (
        <BlockTime team={team} date={shown} onClose={() => block(false)} />
      )}
    </>
  );
}

const longDay = (day: string) =>
  dateTime(
    `${day}T12:00:00Z`,
    { weekday: "long", day: "numeric", month: "long", year: "numeric" },
    "UTC",
  );
