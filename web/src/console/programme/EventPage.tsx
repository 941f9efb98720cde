// One event: its dates, its picture, what is said of it, and how it is put away.
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import type { Production } from "~/api/schema";
import { Badge, Button, ButtonLink, Loaded, useToast } from "~/design";
import { ActButton, PageHead, Panel } from "../parts";
import { api } from "../session";
import { PROGRAMME, useProduction } from "./calls";
import { DatesPanel } from "./DatesPanel";
import { EventForm } from "./EventForm";
import { PictureField } from "./PictureField";
import { Refused } from "./Refused";
import { State } from "./State";
import { useSave } from "../saving/useSave";

export function EventPage({ id }: { id: string }) {
  const { t } = useTranslation("programme");
  const found = useProduction(id);
  const back = { href: "/console/programme", label: t("events.title") };
  return (
    <>
      {found.data === undefined && <PageHead title={t("event.one")} back={back} />}
      <Loaded of={found} height="24rem">
        {(event) => <EventDetails event={event} back={back} />}
      </Loaded>
    </>
  );
}

type DetailsProps = { event: Production; back: { href: string; label: string } };

function EventDetails({ event, back }: DetailsProps) {
  const { t } = useTranslation("programme");
  const tell = useToast();
  return (
    <>
      <PageHead
        title={event.title}
        back={back}
        lead={
          <span className="console-facts">
            <State of={event.state} />
            {event.archived && <Badge>{t("archived")}</Badge>}
            <span>{t(`kinds.${event.kind}`)}</span>
          </span>
        }
        actions={
          !event.archived && (
            <ButtonLink href={`/console/programme/events/${event.id}/new-date`}>
              {t("dates.add")}
            </ButtonLink>
          )
        }
      />
      <DatesPanel event={event} />
      <div className="console-columns">
        <EventForm event={event} onSaved={() => tell(t("saved"))} />
        <div className="console-stack-wide">
          <PictureField event={event} />
          <PutAway event={event} />
        </div>
      </div>
    </>
  );
}

/** Archiving one that is over, or deleting one that never had a date. */
function PutAway({ event }: { event: Production }) {
  const { t } = useTranslation("programme");
  const tell = useToast();
  const [, go] = useLocation();
  const { busy, error, save } = useSave(PROGRAMME);
  const path = { production_id: event.id };
  const archive = (archived: boolean) =>
    save(
      () => api.PATCH("/v1/programme/productions/{production_id}", { path, body: { archived } }),
      () => tell(t(archived ? "away.archived" : "away.back")),
    );
  return (
    <Panel title={t("away.title")} lead={t("away.lead")}>
      <div className="console-actions">
        <Button kind="quiet" size="small" busy={busy} onClick={() => void archive(!event.archived)}>
          {t(event.archived ? "away.unarchive" : "away.archive")}
        </Button>
        <ActButton
          size="small"
          kind="quiet"
          title={t("away.delete_title")}
          verb={t("away.delete")}
          dangerous
          refetches={PROGRAMME}
          act={async () => {
            await api.DELETE("/v1/programme/productions/{production_id}", { path });
            go("/console/programme");
            return t("away.deleted");
          }}
        >
          <p>{t("away.delete_text")}</p>
        </ActButton>
      </div>
      <Refused error={error} />
    </Panel>
  );
}
