// One film and its shows.
import { useDeferredValue } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation, useSearch } from "wouter";
import { Button, EmptyState, Icon, Loaded, useNow } from "~/design";
import { comma, dateTime, duration } from "~/i18n/format";
import { dateIn, daysFrom, noonOf } from "../days";
import { useShop } from "../session";
import { Page } from "../shell/Page";
import { PageOf } from "../shell/PageOf";
import type { Film } from "~/api/schema";
import { useFilm, useShows } from "./catalog";
import { useCity } from "./city";
import { DayStrip } from "./DayStrip";
import { filtersOf, searchOf } from "./filters";
import { huesOf, Poster } from "./Poster";
import { ShowTimes } from "./ShowTimes";
import "./film.css";

const DAYS = 7;
const MINUTE_MS = 60_000;

export default function FilmPage({ filmId }: { filmId: string }) {
  return (
    <PageOf what="page" query={useFilm(filmId)}>
      {(film) => <FilmDetails film={film} />}
    </PageOf>
  );
}

function FilmDetails({ film }: { film: Film }) {
  const { t } = useTranslation("cinema");
  const { city } = useCity();
  return (
    <div className="cinema-film" style={huesOf(film.hues)}>
      <div className="cinema-film-backdrop" aria-hidden="true" />
      <Page title={film.title} heading={<FilmTitle film={film} />} className="cinema-film-page">
        <Link href={`/?${searchOf({ city: city?.id })}`} className="shop-back cinema-film-back">
          <Icon name="back" size={18} flip /> {t("all_films")}
        </Link>
        <div className="cinema-film-poster">
          <Poster film={film} isDecor={false} isFirst />
        </div>
        <div className="cinema-film-words">
          {film.tagline !== "" && (
            <p className="shop-lead">
              <bdi>{film.tagline}</bdi>
            </p>
          )}
          <p className="cinema-film-synopsis">
            <bdi>{film.synopsis}</bdi>
          </p>
          <FilmFacts film={film} />
        </div>
        <Times film={film} />
      </Page>
    </div>
  );
}

function FilmTitle({ film }: { film: Film }) {
  return (
    <>
      <bdi>{film.title}</bdi>
      {film.original_title !== null && (
        <span className="cinema-film-original">
          <bdi>{film.original_title}</bdi>
        </span>
      )}
    </>
  );
}

function FilmFacts({ film }: { film: Film }) {
  const { t } = useTranslation("cinema");
  const facts: [string, string][] = [
    [t("fact.length"), duration(film.minutes)],
    [t("fact.rating"), film.rating],
    [t("fact.genre"), film.genres.join(comma())],
    [t("fact.director"), film.director],
    [t("fact.cast"), film.cast.join(comma())],
    [t("fact.released"), dateTime(noonOf(film.released), { dateStyle: "long" }, "UTC")],
  ];
  return (
    <dl className="cinema-film-facts">
      {facts
        .filter(([, value]) => value !== "")
        .map(([name, value]) => (
          <div key={name} data-wide={value.length > 40 || undefined}>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
    </dl>
  );
}

function Times({ film }: { film: Film }) {
  const { t } = useTranslation("cinema");
  const { behindMs } = useShop();
  const now = useNow(MINUTE_MS);
  const { city } = useCity();
  const [path, navigate] = useLocation();
  const { date: asked } = filtersOf(useSearch());
  const found = useShows(film.id, city?.id);
  const all = useDeferredValue(found.data); // in pieces, as PageOf shows a page
  const zone = city?.time_zone ?? "UTC";
  const days = daysFrom(zone, new Date(now + behindMs), DAYS);
  const dates = new Set(
    (all ?? []).map((show) => dateIn(show.time_zone, new Date(show.starts_at))),
  );
  const first = days.find((day) => dates.has(day)) ?? [...dates].sort()[0];
  const day = asked || first || days[0] || "";
  const shows = (all ?? []).filter(
    (show) => dateIn(show.time_zone, new Date(show.starts_at)) === day,
  );
  const choose = (date: string) =>
    navigate(`${path}?${searchOf({ city: city?.id, date })}`, { replace: true });
  return (
    <section className="cinema-film-times" aria-labelledby="times-title">
      <h2 id="times-title">
        {city === undefined ? t("times") : t("times_in", { city: city.name })}
      </h2>
      <DayStrip
        days={days}
        chosen={day}
        available={all === undefined ? undefined : dates}
        onChoose={choose}
      />
      <Loaded of={{ data: all, error: found.error, refetch: found.refetch }} height="16rem" />
      {all !== undefined && shows.length === 0 && (
        <EmptyState
          title={t("no_shows")}
          actions={
            first !== undefined && (
              <Button kind="quiet" onClick={() => choose(first)}>
                {t("go_to", { day: dateTime(noonOf(first), { dateStyle: "full" }, "UTC") })}
              </Button>
            )
          }
        >
          <p>{first === undefined ? t("no_shows_city") : t("no_shows_day")}</p>
        </EmptyState>
      )}
      {shows.length > 0 && <ShowTimes shows={shows} />}
    </section>
  );
}
