// All films, those released last first, with how many shows of each are to come.
import { useDeferredValue } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Film } from "~/api/schema";
import { ButtonLink } from "~/design";
import { number } from "~/i18n/format";
import {
  type Column,
  DataTable,
  Filters,
  PageHead,
  SearchField,
  usePages,
  useTableState,
  When,
} from "../parts";
import { useManagesAll } from "../session";
import { SCREENS_PAGE } from "./calls";

const REFRESH_MS = 15_000;
const DEFAULTS = { q: "" };

const COLUMNS: readonly Column<Film>[] = [
  {
    key: "film",
    leads: true,
    cell: ({ id, title, genres }) => (
      <div className="console-name">
        <Link href={`/console/cinema/films/${id}`} className="console-row-link">
          <bdi>{title}</bdi>
        </Link>
        {genres.length > 0 && <span className="console-quiet">{genres.join(", ")}</span>}
      </div>
    ),
  },
  { key: "minutes", numeric: true, cell: ({ minutes }) => number(minutes) },
  { key: "shows", numeric: true, cell: ({ shows }) => number(shows) },
  {
    key: "next",
    cell: ({ next_show: next }) =>
      next === null ? <>–</> : <When at={next.starts_at} zone={next.time_zone} />,
  },
];

export function FilmsPage() {
  const { t } = useTranslation("films");
  const mayManage = useManagesAll();
  const [table, change] = useTableState(DEFAULTS, {});
  const query = { q: useDeferredValue(table.q), limit: 50 };
  const films = usePages("/v1/cinema/films", { query }, REFRESH_MS);
  return (
    <>
      <PageHead
        title={t("films.title")}
        lead={t("films.lead")}
        actions={
          <>
            <ButtonLink kind="quiet" href={SCREENS_PAGE}>
              {t("cinemas.title")}
            </ButtonLink>
            {mayManage && <ButtonLink href="/console/cinema/new">{t("films.new")}</ButtonLink>}
          </>
        }
      />
      <Filters>
        <SearchField
          label={t("films.search")}
          value={table.q}
          onChange={(text) => change({ q: text })}
        />
      </Filters>
      <DataTable
        label={t("films.title")}
        words="films"
        columns={COLUMNS}
        {...films}
        rowKey={({ id }) => id}
        empty={{ title: t("films.none"), text: t("films.none_text") }}
      />
    </>
  );
}
