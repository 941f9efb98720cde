// One team: what it is and where, its services and who gives them, and its free times. The choice stands in the
// address.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation, useSearch } from "wouter";
import type { Team } from "~/api/schema";
import { Icon, Note } from "~/design";
import { ShowRefundTerms } from "../refunds/RefundTerms";
import { Page } from "../shell/Page";
import { PageOf } from "../shell/PageOf";
import { useJsonLd } from "../shell/useHead";
import { Stepper } from "../Stepper";
import { useResource } from "../useResource";
import { VocabularyOf } from "../vocabulary";
import { JoinCard } from "../waitlist/JoinCard";
import { useTeam } from "./catalog";
import { choiceOf, placesMax, serviceOf, teamHref, withService, type Choice } from "./choice";
import { ChooseTime } from "./ChooseTime";
import { ReserveBox } from "./ReserveBox";
import { ServiceChoice } from "./ServiceChoice";
import { structuredTeam } from "./structured";
import "./appointments.css";

export default function TeamPage({ teamId }: { teamId: string }) {
  return (
    <PageOf what="page" query={useTeam(teamId)}>
      {(team) => <TeamDetails team={team} />}
    </PageOf>
  );
}

function TeamDetails({ team }: { team: Team }) {
  const { t } = useTranslation("shop_appointments");
  const [, navigate] = useLocation();
  const choice = choiceOf(useSearch(), team);
  const service = serviceOf(team, choice.service);
  const [time, setTime] = useState("");
  useJsonLd(JSON.stringify(structuredTeam(team, globalThis.location.origin)));
  const change = (next: Choice, at = "") => {
    setTime(at);
    navigate(teamHref(team.id, next), { replace: true });
  };
  const isOpen = team.state === "open";
  return (
    <Page
      title={team.name}
      heading={<bdi>{team.name}</bdi>}
      className="appt-page"
      description={team.summary}
    >
      <Link href="/appointments" className="shop-back">
        <Icon name="back" size={18} flip /> {t("all_teams")}
      </Link>
      <Head team={team} />
      {!isOpen && <Note>{t("refusal.not_on_sale")}</Note>}
      <div className="appt-layout">
        <div className="appt-main">
          <ServiceChoice
            team={team}
            chosen={service}
            onChoose={(next) => change(withService(choice, next))}
          />
          {service !== undefined && placesMax(team) > 1 && (
            <Stepper
              label={t("how_many")}
              value={choice.places}
              max={placesMax(team)}
              onChange={(places) => change({ ...choice, places }, time)}
            />
          )}
          {service !== undefined && (
            <ChooseTime
              team={team}
              service={service}
              choice={choice}
              time={time}
              onChange={change}
              onTime={setTime}
            />
          )}
        </div>
        <ReserveBox team={team} service={service} choice={choice} time={time} onChange={change} />
        <About team={team} />
      </div>
    </Page>
  );
}

function Head({ team }: { team: Team }) {
  const place = [team.address, team.city].filter(Boolean).join(", ");
  return (
    <div className="appt-head">
      {place !== "" && (
        <p className="appt-fact">
          <Icon name="pin" size={18} /> <bdi>{place}</bdi>
        </p>
      )}
      {team.summary !== "" && (
        <p className="shop-lead">
          <bdi>{team.summary}</bdi>
        </p>
      )}
    </div>
  );
}

/** The text, what a cancellation gives back, and the waitlist where there is one. */
function About({ team }: { team: Team }) {
  const { t } = useTranslation("shop_appointments");
  const { data: resource } = useResource(team.id);
  const paragraphs = team.description.split(/\n\s*\n/).filter((one) => one.trim() !== "");
  return (
    <div className="appt-about">
      {paragraphs.length > 0 && (
        <section aria-labelledby="appt-about">
          <h2 id="appt-about">{t("about")}</h2>
          {paragraphs.map((text, place) => (
            <p key={place} className="appt-text">
              <bdi>{text}</bdi>
            </p>
          ))}
        </section>
      )}
      {resource !== undefined && <ShowRefundTerms resource={resource} />}
      {resource !== undefined && team.state === "open" && (
        <VocabularyOf of={resource}>
          <JoinCard resource={resource} />
        </VocabularyOf>
      )}
    </div>
  );
}
