// The teams that give appointments, as cards; where there are many, with a search.
import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation, useSearch } from "wouter";
import type { Team } from "~/api/schema";
import { Button, EmptyState, ErrorNote, Field, Icon } from "~/design";
import { Page } from "../shell/Page";
import { useNextFree, useTeams } from "./catalog";
import { fromPrice } from "./price";
import { teamHref } from "./choice";
import { whenWords } from "./when";
import "./appointments.css";

const TEXT_MAX = 100;
const PLACES = Array.from({ length: 4 }, (_, index) => index);
const SOON = {
  weekday: "short",
  day: "numeric",
  month: "short",
  hour: "numeric",
  minute: "2-digit",
} as const;

export default function TeamsPage() {
  const { t } = useTranslation("shop_appointments");
  const [path, navigate] = useLocation();
  const asked = new URLSearchParams(useSearch()).get("q") ?? "";
  const text = asked.replaceAll("\0", "").trim().slice(0, TEXT_MAX);
  const found = useTeams(text);
  const teams = found.data?.pages.flatMap(({ items }) => items);
  const search = (next: string) =>
    navigate(next === "" ? path : `${path}?${new URLSearchParams({ q: next })}`);
  return (
    <Page title={t("title")} className="appt-teams-page" description={t("lead")}>
      <p className="shop-lead">{t("lead")}</p>
      {(text !== "" || found.hasNextPage) && <Search key={text} text={text} onSearch={search} />}
      {found.isError && teams === undefined ? (
        <ErrorNote error={found.error} onRetry={() => void found.refetch()} />
      ) : (
        <Teams teams={teams} isBusy={found.isPlaceholderData} text={text} onSearch={search} />
      )}
      {found.hasNextPage && (
        <p className="appt-more">
          <Button
            kind="quiet"
            busy={found.isFetchingNextPage}
            onClick={() => void found.fetchNextPage()}
          >
            {t("more")}
          </Button>
        </p>
      )}
    </Page>
  );
}

type SearchProps = { text: string; onSearch: (text: string) => void };

function Search({ text, onSearch }: SearchProps) {
  const { t } = useTranslation("shop_appointments");
  const [typed, setTyped] = useState(text);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSearch(typed.trim());
  };
  return (
    <form role="search" className="appt-search" onSubmit={submit}>
      <Field
        label={t("search")}
        type="search"
        maxLength={TEXT_MAX}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          if (target.value === "" && text !== "") onSearch("");
        }}
      />
      <Button type="submit" kind="quiet">
        <Icon name="search" size={18} /> {t("search_go")}
      </Button>
    </form>
  );
}

type TeamsProps = SearchProps & { teams: readonly Team[] | undefined; isBusy: boolean };

function Teams({ teams, isBusy, text, onSearch }: TeamsProps) {
  const { t } = useTranslation("shop_appointments");
  if (teams?.length === 0) {
    return (
      <EmptyState
        title={t(text === "" ? "none_yet" : "none")}
        actions={
          text !== "" && (
            <Button kind="quiet" onClick={() => onSearch("")}>
              {t("clear")}
            </Button>
          )
        }
      >
        <p>{t(text === "" ? "none_yet_text" : "none_text")}</p>
      </EmptyState>
    );
  }
  return (
    <>
      <p className="visually-hidden" role="status">
        {teams === undefined ? "" : t("found", { count: teams.length })}
      </p>
      <ul role="list" className="appt-teams" data-busy={isBusy || undefined}>
        {teams === undefined
          ? PLACES.map((place) => (
              <li key={place} aria-hidden="true">
                <div className="appt-card-wait skeleton" />
              </li>
            ))
          : teams.map((team) => (
              <li key={team.id}>
                <TeamCard team={team} />
              </li>
            ))}
      </ul>
    </>
  );
}

function TeamCard({ team }: { team: Team }) {
  const { t } = useTranslation("shop_appointments");
  return (
    <article className="card appt-card">
      <h2>
        <Link href={teamHref(team.id)} className="appt-card-link">
          <bdi>{team.name}</bdi>
        </Link>
      </h2>
      {(team.city !== "" || team.address !== "") && (
        <p className="appt-fact shop-quiet">
          <Icon name="pin" size={16} />
          <bdi>{[team.address, team.city].filter(Boolean).join(", ")}</bdi>
        </p>
      )}
      {team.summary !== "" && (
        <p>
          <bdi>{team.summary}</bdi>
        </p>
      )}
      <p className="appt-card-foot">
        <span>{t("services_count", { count: team.services.length })}</span>
        <strong>{fromPrice(t, team)}</strong>
      </p>
      <NextFree team={team} />
    </article>
  );
}

/** For the first service: it is what most come for. */
function NextFree({ team }: { team: Team }) {
  const { t } = useTranslation("shop_appointments");
  const [first] = team.services;
  const next = useNextFree(team, first?.name ?? "").data;
  if (next === undefined)
    return (
      <p className="appt-next" aria-hidden="true">
        {"\u00A0"}
      </p>
    );
  return (
    <p className="appt-next" data-none={next === null || undefined}>
      <Icon name="clock" size={16} />{" "}
      <span>
        {next === null
          ? t("nothing_free_soon")
          : t("next_free_at", { time: whenWords(next, SOON, team) })}
      </span>
    </p>
  );
}
