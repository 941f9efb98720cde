// All venues, with how many halls each has.
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Venue } from "~/api/schema";
import { ButtonLink } from "~/design";
import { number } from "~/i18n/format";
import { type Column, DataTable, PageHead, usePages } from "../parts";

const PATH = "/v1/programme/venues";
const REFRESH_MS = 15_000;

const COLUMNS: readonly Column<Venue>[] = [
  {
    key: "venue",
    leads: true,
    cell: (venue) => (
      <div className="console-name">
        <Link href={`/console/programme/venues/${venue.id}`} className="console-row-link">
          <bdi>{venue.name}</bdi>
        </Link>
        <span className="console-quiet">
          {[venue.address, venue.city].filter((part) => part !== "").join(", ")}
        </span>
      </div>
    ),
  },
  { key: "halls", numeric: true, cell: ({ halls }) => number(halls) },
  { key: "zone", cell: ({ time_zone: zone }) => <span dir="ltr">{zone}</span> },
];

export function VenuesPage() {
  const { t } = useTranslation("programme");
  const venues = usePages(PATH, { query: { limit: 50 } }, REFRESH_MS);
  return (
    <>
      <PageHead
        title={t("venues.title")}
        lead={t("venues.lead")}
        back={{ href: "/console/programme", label: t("events.title") }}
        actions={<ButtonLink href="/console/programme/venues/new">{t("venues.new")}</ButtonLink>}
      />
      <DataTable
        label={t("venues.title")}
        words="venues"
        columns={COLUMNS}
        {...venues}
        rowKey={({ id }) => id}
        empty={{ title: t("venues.none"), text: t("venues.none_text") }}
      />
    </>
  );
}
