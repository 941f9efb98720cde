// One film: its shows to come, and what is said of it.
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Film, FilmChange, Show } from "~/api/schema";
import { ButtonLink, Loaded, useToast } from "~/design";
import { number } from "~/i18n/format";
import { type Column, DataTable, PageHead, Panel, usePages, When } from "../parts";
import { Refused } from "../programme/Refused";
import { Published } from "../programme/State";
import { useChange } from "../saving/useChange";
import { api, useManagesAll } from "../session";
import { CINEMA, filmKey, readFilm, SHOWS_PATH, useFilm } from "./calls";
import { filmChange, filmDraft, filmOwn, shownOf } from "./filmDraft";
import { FilmForm } from "./FilmForm";
import { PublishShows } from "./PublishShows";

const REFRESH_MS = 8000;

const COLUMNS: readonly Column<Show>[] = [
  {
    key: "show",
    leads: true,
    cell: (show) => (
      <div className="console-name">
        <Link href={`/console/shows/${show.id}`} className="console-row-link">
          <When at={show.starts_at} zone={show.time_zone} />
        </Link>
        <span className="console-quiet">
          {show.cinema.name}, {show.screen.name}
        </span>
      </div>
    ),
  },
  { key: "language", cell: ({ language, format }) => `${language}, ${format}` },
  {
    key: "free",
    numeric: true,
    cell: ({ units_free: free, units_total: all }) => `${number(free)} / ${number(all)}`,
  },
  { key: "state", cell: ({ state }) => <ShowState of={state} /> },
  { key: "published", cell: (show) => <Published of={show} /> },
];

export function FilmPage({ id }: { id: string }) {
  const { t } = useTranslation("films");
  const found = useFilm(id);
  const mayManage = useManagesAll();
  return (
    <>
      <PageHead
        title={found.data?.title ?? t("film.one")}
        back={{ href: "/console/cinema", label: t("films.title") }}
        actions={
          mayManage && (
            <ButtonLink href={`/console/cinema/films/${id}/new-shows`}>{t("shows.add")}</ButtonLink>
          )
        }
      />
      <Loaded of={found} height="24rem">
        {(film) => (
          <>
            <ShowsPanel film={film.id} mayManage={mayManage} />
            {mayManage && <ChangeForm film={film} />}
          </>
        )}
      </Loaded>
    </>
  );
}

function ShowState({ of }: { of: Show["state"] }) {
  const { t } = useTranslation("films");
  return <>{t(`states.${of}`)}</>;
}

function ShowsPanel({ film, mayManage }: { film: string; mayManage: boolean }) {
  const { t } = useTranslation("films");
  const shows = usePages(SHOWS_PATH, { query: { film, limit: 100 } }, REFRESH_MS);
  return (
    <Panel title={t("shows.title")} lead={t("shows.lead")}>
      <DataTable
        label={t("shows.title")}
        words="shows_of_film"
        columns={COLUMNS}
        {...shows}
        rowKey={({ id }) => id}
        skeletonRows={2}
        empty={{ title: t("shows.none"), text: t("shows.none_text") }}
      />
      {mayManage && <PublishShows shows={shows.rows ?? []} />}
    </Panel>
  );
}

function ChangeForm({ film }: { film: Film }) {
  const { t } = useTranslation("films");
  const tell = useToast();
  const { began, edition, busy, error, ...form } = useChange(film, {
    stale: CINEMA,
    key: filmKey(film.id),
    read: () => readFilm(film.id),
    send: (body: FilmChange) =>
      api.PATCH("/v1/cinema/films/{film_id}", { path: { film_id: film.id }, body }),
    own: filmOwn,
    changeOf: filmChange,
  });
  return (
    <FilmForm
      edition={edition}
      begin={filmDraft(began)}
      shown={shownOf(began)}
      busy={busy}
      refused={<Refused error={error} onAnew={form.loadTheirs} />}
      onSubmit={(draft) => {
        if (form.isUnchanged(draft)) return tell(t("unchanged"));
        void form.change(draft, () => tell(t("saved")));
      }}
    />
  );
}
