// All resources, with their occupancy.
import { useDeferredValue, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Badge } from "~/design/Feedback";
import { Field, Select } from "~/design/Field";
import type { ShowRow } from "../types";
import { csvHref } from "../parts/query";
import { Cash } from "../parts/Cash";
import { DataTable, type Column } from "../parts/DataTable";
import { PageHead } from "../parts/PageHead";
import { SearchField } from "../parts/SearchField";
import { CsvLink } from "../parts/CsvLink";
import { Occupancy } from "../parts/Occupancy";
import { usePages } from "../parts/usePages";
import { useTableState } from "../parts/useTableState";
import { When } from "../parts/When";
import { dayBounds } from "../today/period";
import { useKinds } from "../advice/useAdvice";

const PATH = "/v1/overview/resources";
const DEFAULTS = { q: "", kind: "", day: "", sort: "starts_at", state: "" };
const ALLOWED = { sort: ["starts_at", "sold", "name"], state: ["", "open", "closed"] };
const REFRESH_MS = 4000;

export default function ShowsPage() {
  const { t } = useTranslation("console");
  const [table, change] = useTableState(DEFAULTS, ALLOWED);
  const q = useDeferredValue(table.q);
  const params = {
    q,
    kind: table.kind,
    state: table.state,
    sort: table.sort,
    ...dayBounds(table.day),
  };
  const shows = usePages(PATH, { query: { ...params, limit: 50 } }, REFRESH_MS);
  const kinds = useKinds();
  const columns = useColumns();
  return (
    <>
      <PageHead
        title={t("shows.title")}
        lead={t("shows.lead")}
        actions={<CsvLink href={csvHref(PATH, params)} />}
      />
      <form className="console-filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <SearchField
          label={t("shows.search")}
          value={table.q}
          onChange={(text) => change({ q: text })}
        />
        <Field
          label={t("filters.day")}
          type="date"
          value={table.day}
          onChange={(event) => change({ day: event.target.value })}
        />
        <Select
          label={t("filters.kind")}
          value={table.kind}
          onChange={(event) => change({ kind: event.target.value })}
        >
          <option value="">{t("filters.any")}</option>
          {[...new Set([...kinds, ...(table.kind === "" ? [] : [table.kind])])].map((kind) => (
            <option key={kind}>{kind}</option>
          ))}
        </Select>
        <Select
          label={t("filters.sale")}
          value={table.state}
          onChange={(event) => change({ state: event.target.value })}
        >
          <option value="">{t("filters.any")}</option>
          <option value="open">{t("states.open")}</option>
          <option value="closed">{t("states.closed")}</option>
        </Select>
        <Select
          label={t("filters.sort")}
          value={table.sort}
          onChange={(event) => change({ sort: event.target.value })}
        >
          {ALLOWED.sort.map((sort) => (
            <option key={sort} value={sort}>
              {t(`shows.sorts.${sort}`)}
            </option>
          ))}
        </Select>
      </form>
      <DataTable
        label={t("shows.title")}
        columns={columns}
        {...shows}
        rowKey={(show) => show.id}
        empty={{ title: t("shows.none"), text: t("shows.none_text") }}
      />
    </>
  );
}

function useColumns(): Column<ShowRow>[] {
  const { t } = useTranslation("console");
  return useMemo(
    () => [
      {
        key: "name",
        title: t("shows.show"),
        leads: true,
        cell: (show) => (
          <div className="console-name">
            <Link href={`/console/shows/${show.id}`} className="console-row-link">
              {show.name}
            </Link>
            <span className="console-quiet">{show.kind}</span>
          </div>
        ),
      },
      {
        key: "starts",
        title: t("shows.starts"),
        cell: (show) => <When at={show.starts_at} zone={show.time_zone} />,
      },
      {
        key: "full",
        title: t("shows.occupancy"),
        cell: (show) => (
          <Occupancy
            sold={show.sold}
            held={show.held}
            blocked={show.blocked}
            total={show.units_total}
          />
        ),
      },
      { key: "held", title: t("shows.held"), numeric: true, cell: (show) => show.held },
      {
        key: "revenue",
        title: t("shows.revenue"),
        numeric: true,
        cell: (show) => <Cash of={show.revenue} />,
      },
      {
        key: "double",
        title: t("shows.double_sold"),
        numeric: true,
        cell: (show) => (
          <Badge tone={show.double_sold === 0 ? "good" : "bad"}>{show.double_sold}</Badge>
        ),
      },
    ],
    [t],
  );
}
