// The head of a show that is being bought: film, place, time.
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Badge, Icon } from "~/design";
import { eventTime } from "~/i18n/format";
import type { Resource } from "~/api/schema";
import type { Show } from "~/api/schema";
import { useShow } from "./catalog";
import { huesOf, Poster } from "./Poster";
import "./cinema.css";
import "./film.css";

const WHEN = {
  weekday: "long",
  day: "numeric",
  month: "long",
  hour: "numeric",
  minute: "2-digit",
} as const;

export function ShowHeading({ resource }: { resource: Resource }) {
  const { t } = useTranslation("cinema");
  const { data: show } = useShow(resource.id);
  const film = show?.film;
  return (
    <header
      className="cinema-show"
      style={huesOf(film?.hues ?? [])}
      data-plain={show === null || undefined}
    >
      {film === undefined ? (
        <div className="cinema-show-poster" />
      ) : (
        <Link
          href={`/films/${film.id}`}
          className="cinema-show-poster"
          aria-label={t("to_film", { title: film.title })}
        >
          <Poster film={film} isFirst />
        </Link>
      )}
      <div className="cinema-show-words">
        <p className="cinema-show-title">
          <bdi>{film?.title ?? textOf(resource, "film") ?? resource.name}</bdi>
        </p>
        <TimeAndPlace resource={resource} show={show} />
      </div>
    </header>
  );
}

export function ShowSummary({ resource }: { resource: Resource }) {
  const { data: show } = useShow(resource.id);
  const film = show?.film;
  return (
    <div className="cinema-summary" data-plain={show === null || undefined}>
      <div className="cinema-summary-poster">
        {film !== undefined && <Poster film={film} isFirst />}
      </div>
      <div>
        <p className="cinema-summary-title">
          <bdi>{film?.title ?? textOf(resource, "film") ?? resource.name}</bdi>
        </p>
        <TimeAndPlace resource={resource} show={show} />
      </div>
    </div>
  );
}

function TimeAndPlace({ resource, show }: { resource: Resource; show: Show | null | undefined }) {
  const venue = show?.cinema.name ?? textOf(resource, "cinema");
  const screen = show?.screen.name ?? textOf(resource, "screen");
  const language = show?.language ?? textOf(resource, "language");
  const format = show?.format ?? textOf(resource, "format");
  return (
    <>
      {resource.starts_at !== null && (
        <Fact icon="clock">{eventTime(resource.starts_at, WHEN, resource.time_zone)}</Fact>
      )}
      {venue !== null && (
        <Fact icon="pin">
          <bdi>{[venue, screen].filter(Boolean).join(" · ")}</bdi>
        </Fact>
      )}
      <p className="cinema-show-badges">
        {format !== null && <Badge tone="accent">{format}</Badge>}
        {language !== null && <Badge>{language}</Badge>}
        {show?.film.rating && <Badge>{show.film.rating}</Badge>}
      </p>
    </>
  );
}

function Fact({ icon, children }: { icon: "clock" | "pin"; children: ReactNode }) {
  return (
    <p className="cinema-show-fact">
      <Icon name={icon} size={17} /> <span>{children}</span>
    </p>
  );
}

function textOf(resource: Resource, name: string): string | null {
  const value = resource.attributes[name];
  return typeof value === "string" && value !== "" ? value : null;
}
