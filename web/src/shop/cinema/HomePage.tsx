// The films of a city on a day, with a featured one.
import { useDeferredValue } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation, useSearch } from "wouter";
import { Button, ButtonLink, EmptyState, ErrorNote, useNow } from "~/design";
import { dateTime, duration } from "~/i18n/format";
import { daysFrom, noonOf } from "../days";
import { useShop } from "../session";
import { Page } from "../shell/Page";
import { PremiereLine } from "../waiting/PremiereLine";
import type { City, Film } from "~/api/schema";
import { useFilms } from "./catalog";
import { useCity } from "./city";
import { DayStrip } from "./DayStrip";
import { FilterBar } from "./FilterBar";
import { countOfFilters, filtersOf, searchOf, type Filters } from "./filters";
import { EAGER, featuredOf } from "./firstPage";
import { huesOf, Poster } from "./Poster";
import "./cinema.css";

const DAYS = 7;
const MINUTE_MS = 60_000;
const PLACES = Array.from({ length: 12 }, (_, index) => index);

export function HomePage() {
  const { t } = useTranslation("cinema");
  const { city, cities, isError, error, refetch } = useCity();
  const title = city === undefined ? t("title") : t("title_in", { city: city.name });
  return (
    <Page title={title} heading={null} className="cinema-home">
      <PremiereLine />
      {isError && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {cities?.length === 0 && (
        <EmptyState title={t("no_cities")}>
          <p>{t("no_cities_text")}</p>
        </EmptyState>
      )}
      {!isError && cities?.length !== 0 && <Listing city={city} />}
    </Page>
  );
}

function Listing({ city }: { city: City | undefined }) {
  const { t } = useTranslation("cinema");
  const { behindMs } = useShop();
  const now = useNow(MINUTE_MS);
  const [, navigate] = useLocation();
  const filters = filtersOf(useSearch());
  const days = daysFrom(city?.time_zone ?? "UTC", new Date(now + behindMs), DAYS);
  const today = days[0] ?? "";
  // When today's shows are over, start with the next day that has any.
  const found = useFilms(city?.id, filters, filters.date || today);
  const dates = found.data?.pages[0]?.facets.dates;
  const isTodayOver =
    filters.date === "" && dates !== undefined && dates.length > 0 && !dates.includes(today);
  const date = filters.date || (isTodayOver ? (dates[0] ?? today) : today);
  const next = useFilms(isTodayOver ? city?.id : undefined, filters, date);
  const films = isTodayOver ? next : found;
  const change = (part: Partial<Filters>, isTyping = false) => {
    const search = searchOf({ ...filters, ...(city !== undefined && { city: city.id }), ...part });
    navigate(search === "" ? "/" : `/?${search}`, { replace: isTyping });
  };
  // In pieces: two dozen cards at once would hold up whoever taps meanwhile.
  const items = useDeferredValue(films.data)?.pages.flatMap((page) => page.items);
  const isPlain = countOfFilters(filters) === 0;
  const featured = featuredOf(items ?? []);
  const hrefOf = (film: Film) => `/films/${film.id}?${searchOf({ city: city?.id, date })}`;
  return (
    <>
      {isPlain &&
        (featured === undefined ? (
          <div className="cinema-hero cinema-hero-wait" aria-hidden="true" />
        ) : (
          <Hero film={featured} href={hrefOf(featured)} />
        ))}
      <DayStrip
        days={days}
        chosen={date}
        available={dates === undefined ? undefined : new Set(dates)}
        onChoose={(day) => change({ date: day })}
      />
      <FilterBar
        filters={filters}
        facets={films.data?.pages[0]?.facets ?? found.data?.pages[0]?.facets}
        onChange={change}
      />
      {films.isError && <ErrorNote error={films.error} onRetry={() => void films.refetch()} />}
      <h2 className="visually-hidden">{t("all_films")}</h2>
      <p className="visually-hidden" role="status">
        {items === undefined ? "" : t("found", { count: items.length })}
      </p>
      {items?.length === 0 ? (
        <EmptyState
          title={t("none")}
          actions={
            isPlain ? (
              dates?.[0] !== undefined && (
                <Button kind="quiet" onClick={() => change({ date: dates[0] ?? "" })}>
                  {t("go_to", { day: dateTime(noonOf(dates[0]), { dateStyle: "full" }, "UTC") })}
                </Button>
              )
            ) : (
              <ButtonLink kind="quiet" href={`/?${searchOf({ city: city?.id, date })}`}>
                {t("clear")}
              </ButtonLink>
            )
          }
        >
          <p>{isPlain ? t("none_day") : t("none_filters")}</p>
        </EmptyState>
      ) : (
        <ul role="list" className="cinema-grid" data-busy={films.isPlaceholderData || undefined}>
          {items === undefined
            ? PLACES.map((place) => (
                <li key={place} aria-hidden="true">
                  <div className="cinema-poster skeleton" />
                </li>
              ))
            : items.map((film, index) => (
                <li key={film.id}>
                  <FilmCard film={film} href={hrefOf(film)} isFirst={index < EAGER} />
                </li>
              ))}
        </ul>
      )}
      {films.hasNextPage && (
        <p className="cinema-more">
          <Button
            kind="quiet"
            busy={films.isFetchingNextPage}
            onClick={() => void films.fetchNextPage()}
          >
            {t("more")}
          </Button>
        </p>
      )}
    </>
  );
}

function Hero({ film, href }: { film: Film; href: string }) {
  const { t } = useTranslation("cinema");
  return (
    <section className="cinema-hero" style={huesOf(film.hues)} aria-labelledby="hero-title">
      <div className="cinema-hero-words">
        <p className="cinema-hero-over">{t("featured")}</p>
        <h2 id="hero-title">
          <bdi>{film.title}</bdi>
        </h2>
        {film.tagline !== "" && (
          <p className="cinema-hero-tagline">
            <bdi>{film.tagline}</bdi>
          </p>
        )}
        <p className="cinema-hero-facts">
          <FilmLine film={film} />
        </p>
        <p>
          <ButtonLink href={href} className="cinema-hero-go">
            {t("see_times")}
          </ButtonLink>
        </p>
      </div>
      <Link href={href} className="cinema-hero-poster" tabIndex={-1} aria-hidden="true">
        <Poster film={film} isFirst />
      </Link>
    </section>
  );
}

function FilmCard({ film, href, isFirst }: { film: Film; href: string; isFirst: boolean }) {
  return (
    <article className="cinema-card" style={huesOf(film.hues)}>
      <div className="cinema-card-picture">
        <Poster film={film} isFirst={isFirst} />
      </div>
      <h3>
        <Link href={href} className="cinema-card-link">
          <bdi>{film.title}</bdi>
        </Link>
      </h3>
      <p className="shop-quiet">
        <FilmLine film={film} />
      </p>
    </article>
  );
}

export function FilmLine({ film }: { film: Pick<Film, "genres" | "minutes" | "rating"> }) {
  const parts = [film.genres[0], duration(film.minutes), film.rating].filter(Boolean);
  return (
    <>
      {parts.map((part, index) => (
        <span key={part} className="cinema-fact">
          {index > 0 && <span aria-hidden="true"> · </span>}
          <bdi>{part}</bdi>
        </span>
      ))}
    </>
  );
}
