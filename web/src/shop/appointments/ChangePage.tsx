// A guest changes the time of an appointment, for the same service: the times that are free, with that of their own
// among them. The time of now is theirs until the new one is booked.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation, useSearch } from "wouter";
import type { BookingView, Team, TeamService } from "~/api/schema";
import { Icon, Note } from "~/design";
import { useShop } from "../session";
import { Page } from "../shell/Page";
import { PageOf } from "../shell/PageOf";
import { useTeam } from "./catalog";
import { bookedTime, type Booked } from "./changing";
import { choiceOf, searchOf, titleOf, type Choice } from "./choice";
import { ChooseTime } from "./ChooseTime";
import { NewTime } from "./NewTime";
import { BOX } from "./OtherTimes";
import { dayOf } from "./slots";
import { WHEN, whenWords } from "./when";
import "./appointments.css";

type ChangeProps = { teamId: string; bookingId: string };

export default function ChangePage({ teamId, bookingId }: ChangeProps) {
  const { api } = useShop();
  const booking = useQuery({
    queryKey: ["booking", bookingId],
    queryFn: () => api.GET("/v1/bookings/{booking_id}", { path: { booking_id: bookingId } }),
  });
  const team = useTeam(teamId);
  return (
    <PageOf what="booking" query={booking}>
      {(found) => (
        <PageOf what="page" query={team}>
          {(of) => <ChangeOf booking={found} team={of} />}
        </PageOf>
      )}
    </PageOf>
  );
}

function ChangeOf({ booking, team }: { booking: BookingView; team: Team }) {
  const { t } = useTranslation("shop_appointments");
  const own = bookedTime(booking);
  const service = team.services.find(({ name }) => name === own?.service);
  const isOne = own !== null && own.teamId === team.id && service !== undefined;
  return (
    <Page title={t("change.title")} className="appt-page">
      <Link href={`/bookings/${booking.id}`} className="shop-back">
        <Icon name="back" size={18} flip /> {t("change.back")}
      </Link>
      {isOne ? (
        <Change booking={booking} team={team} own={own} service={service} />
      ) : (
        <Note>{t("change.why.changed")}</Note>
      )}
    </Page>
  );
}

type PartProps = { booking: BookingView; team: Team; own: Booked; service: TeamService };

function Change({ booking, team, own, service }: PartProps) {
  const { t } = useTranslation("shop_appointments");
  const [path, navigate] = useLocation();
  const search = useSearch();
  const [time, setTime] = useState("");
  const said = choiceOf(search, team);
  // Who comes here wants to stay with whom they have.
  const asksFor = new URLSearchParams(search).get("provider") ?? own.provider;
  const provider = service.providers.includes(asksFor) ? asksFor : "";
  const choice = {
    service: service.name,
    provider,
    date: said.date || dayOf(own.from, team),
    places: own.quantity ?? 1,
  };
  const change = (next: Choice, at = "") => {
    setTime(at);
    const params = new URLSearchParams(searchOf({ ...next, service: "", places: 1 }));
    // Anyone has to be said here.
    params.set("provider", next.provider);
    navigate(`${path}?${params}`, { replace: true });
  };
  return (
    <div className="appt-layout">
      <div className="appt-main">
        <p>{t("change.how")}</p>
        <ChooseTime
          team={team}
          service={service}
          choice={choice}
          time={time}
          own={own}
          onChange={change}
          onTime={setTime}
        />
      </div>
      <section
        className="card appt-box"
        aria-labelledby={BOX}
        data-ready={time !== "" || undefined}
      >
        <h2 id={BOX} tabIndex={-1}>
          <bdi>{service.title}</bdi>
        </h2>
        <dl className="appt-box-facts">
          <div className="appt-box-small">
            <dt>{t("change.now")}</dt>
            <dd>
              {whenWords(own.from, WHEN, team)}
              <span className="shop-quiet">
                {" "}
                <bdi>{titleOf(team.providers, own.provider)}</bdi>
              </span>
            </dd>
          </div>
          <div>
            <dt>{t("change.new")}</dt>
            <dd>
              {time === "" ? t("choose_time") : whenWords(time, WHEN, team)}
              {time !== "" && (
                <span className="shop-quiet">
                  {" "}
                  {provider === "" ? t("anyone") : <bdi>{titleOf(team.providers, provider)}</bdi>}
                </span>
              )}
            </dd>
          </div>
        </dl>
        <NewTime
          key={`${time} ${provider}`}
          {...{ booking, team, own, service, choice, time }}
          onChange={change}
        />
      </section>
    </div>
  );
}
