// All properties, by name.
import { useDeferredValue } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Property } from "~/api/schema";
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
} from "../parts";

const PATH = "/v1/stays/properties";
const REFRESH_MS = 15_000;
const DEFAULTS = { q: "" };

const COLUMNS: readonly Column<Property>[] = [
  { key: "property", leads: true, cell: (property) => <Name of={property} /> },
  { key: "city", cell: ({ city }) => <bdi>{city || "–"}</bdi> },
  { key: "listings", numeric: true, cell: ({ listings }) => number(listings) },
];

export function PropertiesPage() {
  const { t } = useTranslation("stays");
  const [table, change] = useTableState(DEFAULTS, {});
  const query = { search: useDeferredValue(table.q), limit: 50 };
  const properties = usePages(PATH, { query }, REFRESH_MS);
  return (
    <>
      <PageHead
        title={t("properties.title")}
        lead={t("properties.lead")}
        actions={<ButtonLink href="/console/stays/new">{t("properties.new")}</ButtonLink>}
      />
      <Filters>
        <SearchField
          label={t("properties.search")}
          value={table.q}
          onChange={(text) => change({ q: text })}
        />
      </Filters>
      <DataTable
        label={t("properties.title")}
        words="properties"
        columns={COLUMNS}
        {...properties}
        rowKey={({ id }) => id}
        empty={{ title: t("properties.none"), text: t("properties.none_text") }}
      />
    </>
  );
}

function Name({ of: { id, name, kind, ref } }: { of: Property }) {
  const { t } = useTranslation("shop_stays");
  return (
    <div className="console-name">
      <Link href={`/console/stays/${id}`} className="console-row-link">
        <bdi>{name}</bdi>
      </Link>
      <span className="console-quiet">
        {t(`kinds.${kind}`)}
        {ref !== null && (
          <>
            {" · "}
            <bdi>{ref}</bdi>
          </>
        )}
      </span>
    </div>
  );
}
