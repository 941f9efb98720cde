// All resources, with their occupancy.
import { useDeferredValue } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Badge, Field, Select } from "~/design";
import type { ShowRow } from "../types";
import {
  Cash,
  type Column,
  csvHref,
  CsvLink,
  DataTable,
  Filters,
  Occupancy,
  PageHead,
  SearchField,
  usePages,
  useTableState,
  When,
} from "../parts";
import { dayBounds } from "../today/period";
import { useKinds } from "../advice/useAdvice";

const PATH = "/v1/overview/resources";
const DEFAULTS = { q: "", kind: "", day: "", sort: "starts_at", state: "" };
const ALLOWED = { sort: ["starts_at", "sold", "name"], state: ["", "open", "closed"] };
const REFRESH_MS = 4000;

const COLUMNS: readonly Column<ShowRow>[] = [
  {
    key: "show",
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
  { key: "starts", cell: (show) => <When at={show.starts_at} zone={show.time_zone} /> },
  { key: "occupancy", cell: (show) => <Occupancy of={show} /> },
  { key: "held", numeric: true, cell: (show) => show.held },
  { key: "revenue", numeric: true, cell: (show) => <Cash of={show.revenue} /> },
  {
    key: "double_sold",
    numeric: true,
    cell: ({ double_sold: count }) => <Badge tone={count === 0 ? "good" : "bad"}>{count}</Badge>,
  },
];

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
  return (
    <>
      <PageHead
        title={t("shows.title")}
        lead={t("shows.lead")}
        actions={<CsvLink href={csvHref(PATH, params)} />}
      />
      <Filters>
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
      </Filters>
      <DataTable
        label={t("shows.title")}
        words="shows"
        columns={COLUMNS}
        {...shows}
        rowKey={(show) => show.id}
        empty={{ title: t("shows.none"), text: t("shows.none_text") }}
      />
    </>
  );
}
