// One venue: its halls, and what is said of it.
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Hall, Venue } from "~/api/schema";
import { Button, ButtonLink, EmptyState, Loaded, useToast } from "~/design";
import { comma } from "~/i18n/format";
import { PageHead, Panel } from "../parts";
import { api } from "../session";
import { PROGRAMME, useHalls, useVenue } from "./calls";
import { Refused } from "./Refused";
import { useSave } from "../saving/useSave";
import { venueDraft } from "./venueDraft";
import { VenueForm } from "./VenueForm";

export function VenuePage({ id }: { id: string }) {
  const { t } = useTranslation("programme");
  const found = useVenue(id);
  const back = { href: "/console/programme/venues", label: t("venues.title") };
  return (
    <>
      {found.data === undefined && <PageHead title={t("venue.one")} back={back} />}
      <Loaded of={found} height="24rem">
        {(venue) => <VenueDetails venue={venue} back={back} />}
      </Loaded>
    </>
  );
}

type DetailsProps = { venue: Venue; back: { href: string; label: string } };

function VenueDetails({ venue, back }: DetailsProps) {
  const { t } = useTranslation("programme");
  const tell = useToast();
  const { busy, error, save } = useSave(PROGRAMME);
  const archive = (archived: boolean) =>
    save(
      () =>
        api.PATCH("/v1/programme/venues/{venue_id}", {
          path: { venue_id: venue.id },
          body: { archived },
        }),
      () => tell(t(archived ? "away.archived" : "away.back")),
    );
  return (
    <>
      <PageHead
        title={venue.name}
        back={back}
        lead={[venue.city, venue.time_zone].filter((part) => part !== "").join(", ")}
        actions={
          <>
            <Button kind="quiet" busy={busy} onClick={() => void archive(!venue.archived)}>
              {t(venue.archived ? "away.unarchive" : "away.archive")}
            </Button>
            {!venue.archived && (
              <ButtonLink href={`/console/programme/venues/${venue.id}/new-hall`}>
                {t("halls.new")}
              </ButtonLink>
            )}
          </>
        }
      />
      <Refused error={error} />
      <Halls venue={venue} />
      <VenueForm venue={venue} begin={venueDraft(venue)} onSaved={() => tell(t("saved"))} />
    </>
  );
}

function Halls({ venue }: { venue: Venue }) {
  const { t } = useTranslation("programme");
  const halls = useHalls(venue.id);
  return (
    <Panel title={t("halls.title")} lead={t("halls.lead")}>
      <Loaded of={halls} height="6rem">
        {(all) =>
          all.length === 0 ? (
            <EmptyState
              title={t("halls.none")}
              actions={
                <ButtonLink href={`/console/programme/venues/${venue.id}/new-hall`}>
                  {t("halls.first")}
                </ButtonLink>
              }
            >
              <p>{t("halls.none_text")}</p>
            </EmptyState>
          ) : (
            <ul role="list" className="programme-halls">
              {all.map((hall) => (
                <li key={hall.id}>
                  <HallCard hall={hall} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}

function HallCard({ hall }: { hall: Hall }) {
  const { t } = useTranslation("programme");
  return (
    <Link href={`/console/programme/halls/${hall.id}`} className="programme-hall">
      <strong>
        <bdi>{hall.name}</bdi>
      </strong>
      <span>{t("halls.capacity", { count: hall.capacity })}</span>
      <span className="console-quiet">{hall.categories.map(({ name }) => name).join(comma())}</span>
    </Link>
  );
}
